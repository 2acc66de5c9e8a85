#include "detector/record_index.h"

#include <algorithm>
#include <bit>

namespace hotkeyd {

RecordIndex::RecordIndex(std::size_t ids)
    : mask_(std::bit_ceil(std::max<std::size_t>(2 * ids, 2)) - 1), entries_(mask_ + 1) {}

void RecordIndex::insert(std::uint64_t hash, std::uint32_t id) {
  const auto tag = static_cast<std::uint32_t>(hash);
  std::size_t at = tag & mask_;
  while (entries_[at].id != kNone) at = (at + 1) & mask_;
  entries_[at] = {tag, id};
}

void RecordIndex::erase(std::uint64_t hash, std::uint32_t id) {
  std::size_t hole = static_cast<std::uint32_t>(hash) & mask_;
  while (entries_[hole].id != id) hole = (hole + 1) & mask_;
  // Entries behind the hole move up unless that would put them before their first choice.
  for (std::size_t at = (hole + 1) & mask_; entries_[at].id != kNone; at = (at + 1) & mask_) {
    const std::size_t wanted = entries_[at].tag & mask_;
    if (((at - wanted) & mask_) < ((at - hole) & mask_)) continue;
    entries_[hole] = entries_[at];
    hole = at;
  }
  entries_[hole] = {};
}

}  // namespace hotkeyd
