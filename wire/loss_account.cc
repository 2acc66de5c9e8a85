#include "wire/loss_account.h"

#include <algorithm>
#include <limits>

namespace hotkeyd {
namespace {

std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max()
                                                           : a + b;
}

std::uint64_t subtract_saturating(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

std::uint64_t LossAccount::add(std::uint64_t seq, std::uint64_t accesses,
                               const std::optional<ReportTotals>& totals, bool is_largest) {
  arrived_ = add_saturating(arrived_, accesses);
  if (base_seq_ && seq < *base_seq_) base_ = subtract_saturating(base_, accesses);
  if (!is_largest) return 0;
  delivered_.reset();
  if (!totals) return 0;
  delivered_ = subtract_saturating(totals->recorded, totals->dropped);
  if (!base_seq_) {
    base_ = subtract_saturating(*delivered_, arrived_);
    base_seq_ = seq;
    dropped_ = seq <= 1 ? 0 : totals->dropped;
  }
  const std::uint64_t dropped = subtract_saturating(totals->dropped, dropped_);
  dropped_ += dropped;
  return dropped;
}

std::uint64_t LossAccount::take_loss() {
  if (!delivered_) return 0;
  const std::uint64_t lost = subtract_saturating(*delivered_, add_saturating(base_, arrived_));
  const std::uint64_t fresh = subtract_saturating(lost, returned_);
  returned_ += fresh;
  return fresh;
}

}  // namespace hotkeyd
