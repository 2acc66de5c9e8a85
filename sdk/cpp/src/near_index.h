// The copies of one shard by the hash of their key: one writer at a time, readers without a lock.
//
// A reader names the copy it is about to read in its guard and then looks whether the index still holds it; a
// writer takes a copy out first and then looks at the guards (hazard pointers: Michael, IEEE TPDS 2004). Both
// orders are sequentially consistent, so that at least one of the two sees the other. The table is one of
// open addressing; a dead slot keeps its hash. When half is used it is filled anew into another table, and
// the two of one size take turns. Tables are kept until the index is destroyed, so that a slow reader reads
// live memory; what a writer takes out is in neither.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sdk/cpp/src/near_entry.h"

namespace hotkeyd::sdk {

class NearIndex {
 public:
  NearIndex();

  // Any thread. The copy of the hash, named in `guard` until that is cleared; null, and `guard` clear, when
  // there is none, or none to be seen while a writer is at work.
  const NearEntry* protect(std::uint64_t hash, NearGuard& guard) const noexcept;

  // One thread at a time.
  NearEntry* find(std::uint64_t hash) const;
  void put(NearEntry* entry);  // There is none of its hash.
  void erase(std::uint64_t hash);
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::atomic<std::uint64_t> word{0};
    std::atomic<NearEntry*> entry{nullptr};
  };
  struct Table {
    explicit Table(std::size_t size) : mask(size - 1), slots(std::make_unique<Slot[]>(size)) {}
    std::size_t mask;
    std::unique_ptr<Slot[]> slots;
  };

  static Slot& slot_of(const Table& table, std::uint64_t word);
  Table& other_table();
  void refill();

  std::atomic<const Table*> current_;
  std::vector<std::unique_ptr<Table>> tables_;  // The last two are of the size in use.
  std::size_t size_ = 0;
  std::size_t used_ = 0;  // Slots with a hash.
};

}  // namespace hotkeyd::sdk
