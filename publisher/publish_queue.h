// Where the data thread leaves events for one publisher, bounded in number and bytes.
//
// When an item does not fit, the streams give way that hold the most events a snapshot heals (promoted,
// updated, demoted, rules_changed, and snapshots themselves): one such stream loses all of them, from then on
// until its next snapshot, and a StreamGap in their place tells the publisher to ask for one. Invalidations,
// which no snapshot heals, are lost only where nothing else is left to drop. The limits may be passed by one
// item.
//
// Any thread may call any member.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "publisher/publish_item.h"

namespace hotkeyd {

class PublishQueue {
 public:
  PublishQueue(std::size_t events_max, std::size_t bytes_max)
      : events_max_(events_max), bytes_max_(bytes_max) {}

  void push(PublishItem item);
  // The oldest items, at most `items_max`.
  std::vector<PublishItem> take(std::size_t items_max);

  std::size_t size() const;
  std::size_t bytes() const;
  std::uint64_t dropped_events() const;

 private:
  struct Backlog {
    std::size_t healable = 0;  // Items of this stream in the queue that a snapshot heals.
    bool has_gap = false;      // Whether its healable events are dropped until a snapshot comes.
  };

  bool is_full() const { return items_.size() >= events_max_ || bytes_ >= bytes_max_; }
  void make_room();
  void drop_stream(const std::string& ns, Backlog& backlog);
  void append(PublishItem item);
  void push_event(PublishedEvent event);
  void push_snapshot(PublishedSnapshot snapshot);
  void open_gap(const std::string& ns, Backlog& backlog);

  const std::size_t events_max_;
  const std::size_t bytes_max_;
  mutable std::mutex mutex_;
  std::deque<PublishItem> items_;
  std::map<std::string, Backlog> streams_;  // Bounded by the daemon's limit of namespaces.
  std::size_t bytes_ = 0;
  std::uint64_t dropped_events_ = 0;
};

// What an item takes in memory, about.
std::size_t bytes_of(const PublishItem& item);
// Whether a snapshot taken later makes the item unnecessary.
bool is_healed_by_snapshot(EventType type);

}  // namespace hotkeyd
