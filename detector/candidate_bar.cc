#include "detector/candidate_bar.h"

#include <functional>

namespace hotkeyd {

std::uint32_t CandidateBar::refresh(std::vector<std::uint32_t>& counts) {
  allowance_ = std::min(allowance_ + std::max<std::size_t>(top_k_ / 4, 1), top_k_);
  lukewarm_ = 1;
  if (top_k_ == 0 || counts.size() < top_k_) return 0;
  const auto last = counts.begin() + static_cast<std::ptrdiff_t>(top_k_ - 1);
  std::nth_element(counts.begin(), last, counts.end(), std::greater<>{});
  lukewarm_ = *last == UINT32_MAX ? *last : *last + 1;
  return std::min(candidate_min_, *last) / 2;
}

}  // namespace hotkeyd
