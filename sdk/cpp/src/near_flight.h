// One load in flight, and the callers that wait for it (single flight).
//
// The first block belongs to the shard and its lock. The result is set once by the loading thread; any thread
// may wait for it. Held by shared_ptr: callers that gave up on it and its loader may outlive each other.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "sdk/cpp/src/near_entry.h"

namespace hotkeyd::sdk {

class NearFlight {
 public:
  std::string key;
  std::uint64_t hash = 0;
  std::uint64_t caller = 0;  // The thread that loads.
  Time started{};            // Read before the load.
  Time overdue_at{};         // From then on another caller may load in its stead.
  bool is_outdated = false;  // The value may have changed since `started`: it must not be kept.

  // The loading thread, once. A null value says that the load failed.
  void set(NearValuePtr value, std::exception_ptr failure);
  // Any thread. False when `deadline` came first.
  bool wait_until(Time deadline);
  // After a successful wait: the value, or throws what the loader threw.
  NearValuePtr get() const;

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  NearValuePtr value_;
  std::exception_ptr failure_;
};

}  // namespace hotkeyd::sdk
