// Which candidate to forget where there is no room: the coolest that is not kept.
//
// Looking at all candidates for each newcomer would cost as much as the rest of the detector, so the coolest
// eighth is picked at once and used up one by one; those that warmed up or left meanwhile are passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "detector/candidate_store.h"

namespace hotkeyd {

class CoolestQueue {
 public:
  explicit CoolestQueue(const CandidateStore& store);

  // The coolest candidate that is not kept, as far as the last look at all tells; nullopt without one.
  std::optional<CandidateId> front();
  // Candidates that were kept no longer are, or new ones came.
  void wake() { none_left_ = false; }

 private:
  struct Entry {
    std::uint32_t count;
    CandidateId id;
    std::uint64_t hash;
  };

  void pick();
  bool still_cool(const Entry& entry) const;

  const CandidateStore& store_;
  std::size_t size_max_;
  std::uint32_t count_max_ = 0;  // Above it an entry is not one of the coolest any more.
  bool none_left_ = false;
  std::vector<Entry> scratch_;
  std::vector<Entry> queue_;  // The coolest last.
};

}  // namespace hotkeyd
