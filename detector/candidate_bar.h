// How warm a key must be to become a candidate.
//
// From `candidate_min` on always. Below it, so that TOP shows lukewarm keys too, a key must be warmer than
// the top_k-th candidate was at the last tick. Traffic of ever new cold keys would make such records by the
// million, only to forget them: a tick allows a quarter of top_k of them, and what was not used is saved up
// to top_k.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hotkeyd {

class CandidateBar {
 public:
  CandidateBar(std::uint32_t candidate_min, std::size_t top_k)
      : candidate_min_(candidate_min), top_k_(top_k), allowance_(top_k) {}

  void set_candidate_min(std::uint32_t candidate_min) { candidate_min_ = candidate_min; }

  // The count that asks for a record now.
  std::uint32_t height() const {
    return allowance_ == 0 ? candidate_min_ : std::min(candidate_min_, lukewarm_);
  }
  bool is_lukewarm(std::uint32_t count) const { return count < candidate_min_; }
  void take() { allowance_ -= std::min<std::size_t>(allowance_, 1); }  // A lukewarm key got a record.

  // A tick: the counts of all candidates, in any order; it reorders them. Returns the count far below the
  // bar, under which a lukewarm candidate is not worth its record.
  std::uint32_t refresh(std::vector<std::uint32_t>& counts);

 private:
  std::uint32_t candidate_min_;
  std::size_t top_k_;
  std::size_t allowance_;
  std::uint32_t lukewarm_ = 1;  // One more than the top_k-th count.
};

}  // namespace hotkeyd
