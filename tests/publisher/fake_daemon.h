// The daemon around a publisher, for integration tests: a hot set that tells real events, and a control
// thread.
//
// Its own mutex plays the data thread: each change and each snapshot is told under it, so that a snapshot
// stands at its place in the stream.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "io/asio.h"
#include "publisher/publisher.h"
#include "tests/support/eventually.h"
#include "wire/event.h"

namespace hotkeyd::testing {

class FakeDaemon {
 public:
  struct Setup {
    std::string node = "web-1";
    Duration lease = std::chrono::seconds{10};
    std::optional<Duration> heartbeat = {};
  };

  explicit FakeDaemon(const Endpoint& redis) : FakeDaemon(redis, Setup{}) {}
  FakeDaemon(const Endpoint& redis, const Setup& setup);
  ~FakeDaemon();
  FakeDaemon(const FakeDaemon&) = delete;
  FakeDaemon& operator=(const FakeDaemon&) = delete;

  void promote(const std::string& ns, const std::string& key);
  void demote(const std::string& ns, const std::string& key);
  void invalidate(const std::string& ns, const std::string& key);
  bool stop(Duration deadline);  // What the publisher says: whether it drained.

  PublisherStats stats() const { return publisher_->stats(); }
  bool is_up() const { return stats().up; }
  std::vector<std::string> relayed() const;  // The bytes of foreign invalidations.

 private:
  struct Hot {
    std::uint64_t seq = 0;
    std::map<std::string, std::string> keys;  // Key, data.
  };

  Hot& open(const std::string& ns);
  void tell(const std::string& ns, EventType type, const std::string& key);
  void push_snapshot(const std::string& ns);
  Stream stream_of(const std::string& ns) const { return {setup_.node, 7, ns}; }

  const Setup setup_;
  mutable std::mutex mutex_;
  std::map<std::string, Hot> streams_;
  std::vector<std::string> relayed_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::unique_ptr<Publisher> publisher_;
  std::thread control_;
};

inline bool comes_up(const FakeDaemon& daemon) {
  return eventually([&] { return daemon.is_up(); });
}

}  // namespace hotkeyd::testing
