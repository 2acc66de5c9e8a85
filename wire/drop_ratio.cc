#include "wire/drop_ratio.h"

#include <algorithm>

namespace hotkeyd {
namespace {

bool can_follow(const ReportTotals& later, const ReportTotals& earlier) {
  return later.recorded >= earlier.recorded && later.dropped >= earlier.dropped &&
         later.dropped - earlier.dropped <= later.recorded - earlier.recorded;
}

double ratio_between(const ReportTotals& earlier, const ReportTotals& later) {
  const std::uint64_t recorded = later.recorded - earlier.recorded;
  const std::uint64_t delivered = recorded - (later.dropped - earlier.dropped);
  if (recorded == delivered) return 1;
  if (delivered == 0) return DropRatio::kFactorMax;
  return std::min(static_cast<double>(recorded) / static_cast<double>(delivered), DropRatio::kFactorMax);
}

}  // namespace

void DropRatio::tell(const ReportTotals& totals, Time now) {
  ratio_ = 1;
  if (is_back(now)) scaled_from_ = now + kLength;
  waits_ = false;
  if (now < scaled_from_ || (size_ > 0 && !can_follow(totals, newest().totals))) size_ = 0;
  if (totals.dropped > totals.recorded) {
    size_ = 0;
    return;
  }
  forget_older_than(now);
  if (size_ > 0) ratio_ = ratio_between(told_.front().totals, totals);
  keep({now, totals});
}

bool DropRatio::is_back(Time now) const { return waits_ || (size_ > 0 && now - newest().at > kSilence); }

double DropRatio::ratio(Time now) const { return size_ > 0 && now - newest().at <= kLength ? ratio_ : 1; }

// The latest that is a second old stays: differences begin there.
void DropRatio::forget_older_than(Time now) {
  std::size_t first = 0;
  while (first + 1 < size_ && told_[first + 1].at <= now - kLength) ++first;
  std::copy(told_.begin() + static_cast<std::ptrdiff_t>(first),
            told_.begin() + static_cast<std::ptrdiff_t>(size_), told_.begin());
  size_ -= first;
}

// The newest one stands for those that came less than kSpacing behind the one before it.
void DropRatio::keep(const Told& told) {
  if (size_ >= 2 && newest().at - told_[size_ - 2].at < kSpacing) --size_;
  if (size_ == told_.size()) std::copy(told_.begin() + 1, told_.end(), told_.begin());
  size_ = std::min(size_ + 1, told_.size());
  told_[size_ - 1] = told;
}

}  // namespace hotkeyd
