// Where a publisher puts its figures for other threads to read, those of its queue added as they are now.
// `put` is for the publisher's thread, `read` for any.
#pragma once

#include <mutex>

#include "publisher/publish_queue.h"
#include "publisher/stats.h"

namespace hotkeyd {

class StatsBoard {
 public:
  explicit StatsBoard(const PublishQueue& queue) : queue_(queue) {}

  void put(PublisherStats stats);
  PublisherStats read() const;

 private:
  const PublishQueue& queue_;
  mutable std::mutex mutex_;
  PublisherStats stats_;
};

}  // namespace hotkeyd
