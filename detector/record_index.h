// Finds a candidate by the hash of its key: open addressing with linear probing, in fixed memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hotkeyd {

class RecordIndex {
 public:
  // Room for `ids` entries, at most half full.
  explicit RecordIndex(std::size_t ids);

  // The first id stored under the hash for which `is_it(id)`; kNone without one.
  static constexpr std::uint32_t kNone = UINT32_MAX;
  template <class Predicate>
  std::uint32_t find(std::uint64_t hash, Predicate is_it) const {
    const auto tag = static_cast<std::uint32_t>(hash);
    for (std::size_t at = tag & mask_; entries_[at].id != kNone; at = (at + 1) & mask_) {
      if (entries_[at].tag == tag && is_it(entries_[at].id)) return entries_[at].id;
    }
    return kNone;
  }

  void insert(std::uint64_t hash, std::uint32_t id);
  void erase(std::uint64_t hash, std::uint32_t id);  // It is there.

  std::size_t memory_bytes() const { return entries_.size() * sizeof(Entry); }

 private:
  struct Entry {
    std::uint32_t tag = 0;  // Low half of the hash.
    std::uint32_t id = kNone;
  };

  std::size_t mask_;
  std::vector<Entry> entries_;
};

}  // namespace hotkeyd
