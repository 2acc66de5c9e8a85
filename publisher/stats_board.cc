#include "publisher/stats_board.h"

#include <utility>

namespace hotkeyd {

void StatsBoard::put(PublisherStats stats) {
  const std::lock_guard lock(mutex_);
  stats_ = std::move(stats);
}

PublisherStats StatsBoard::read() const {
  PublisherStats copy = [this] {
    const std::lock_guard lock(mutex_);
    return stats_;
  }();
  copy.queue_events += queue_.size();
  copy.queue_bytes += queue_.bytes();
  if (const std::uint64_t dropped = queue_.dropped_events()) copy.failed_events["queue_full"] += dropped;
  return copy;
}

}  // namespace hotkeyd
