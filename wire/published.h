// What leaves the data thread for remote publishers: every told event, in order, and the snapshots they asked
// for.
//
// The data thread calls `Outlet` (server/streams.h tells it); the daemon hands items to the control thread
// through a bounded queue per publisher. A publisher asks for a snapshot with `SnapshotRequest` and gets it
// at its place in the stream: the events behind it in the queue are newer than the snapshot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "wire/event.h"

namespace hotkeyd {

// One event as bytes, encoded once and shared by all who send it.
struct PublishedEvent {
  std::string ns;
  EventType type = EventType::promoted;
  std::uint64_t seq = 0;
  std::string key;                           // Raw bytes; empty for stream-wide events.
  std::shared_ptr<const std::string> bytes;  // The event.
  std::string key_data;                      // promoted, updated: `data` for the Redis hash.
  std::size_t hot_keys = 0;                  // Of the namespace after this event.
};

// The whole hot set of a namespace as of `seq`.
struct PublishedSnapshot {
  struct Entry {
    std::string key;
    std::string key_data;
  };
  std::string ns;
  std::uint64_t seq = 0;
  UnixMs as_of_ms = 0;
  std::vector<Entry> entries;
  std::vector<std::shared_ptr<const std::string>> parts;  // The snapshot event, in parts of at most 512 KiB.
};

class Outlet {
 public:
  virtual ~Outlet() = default;
  virtual void namespace_opened(const std::string& ns) = 0;
  virtual void told(const PublishedEvent& event) = 0;
};

}  // namespace hotkeyd
