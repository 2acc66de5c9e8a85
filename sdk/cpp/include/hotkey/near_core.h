// The compiled part of the near cache: everything but the type of the values. For hotkey/near_cache.h only.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "hotkey/client.h"

namespace hotkey {

// Counted since the cache was made; a forked child starts at zero.
struct NearStats {
  std::uint64_t hits = 0;                   // Answered by a local copy.
  std::uint64_t loads = 0;                  // Calls of a loader, those of `verify` excepted.
  std::uint64_t waits = 0;                  // Times a caller waited for another caller's load.
  std::uint64_t invalidations = 0;          // Copies dropped, and loads not kept, because the value changed.
  std::uint64_t bytes = 0;                  // Charged now: values, keys and about 200 bytes a copy.
  std::chrono::milliseconds oldest_age{0};  // Of the copies held, from before their load.
  std::uint64_t entries = 0;                // Copies held.
  std::uint64_t evictions = 0;              // Copies that made room.
  std::uint64_t refused = 0;                // Values not kept for their size.
  // Copies dropped because the daemon allows none any more: the key cooled, its class changed, or the mean of
  // its values went over the rule's `max_value_bytes` (for some seconds then the key is hot and never
  // copied).
  std::uint64_t withdrawn = 0;
  std::uint64_t failures = 0;         // Loads that threw, or whose `size_of` did.
  std::uint64_t timeouts = 0;         // Loads given up on, because they took longer than `load_timeout`.
  std::uint64_t verified = 0;         // Hits compared with the source.
  std::uint64_t verify_failures = 0;  // Hits whose comparison threw.
  std::uint64_t stale = 0;            // Verified hits that differed from the source.
  std::chrono::milliseconds stale_age_max{0};
};

// Thrown to a caller that waited for other callers' loads of its key for twice `load_timeout`.
class LoadTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {

struct NearValue {
  std::size_t bytes = 0;
  bool is_found = false;  // False: a negative result.
};
using NearValuePtr = std::shared_ptr<const NearValue>;

// A local copy, safe to read until this object goes.
class NearHit {
 public:
  NearHit() = default;
  ~NearHit() { release(); }
  NearHit(const NearHit&) = delete;
  NearHit& operator=(const NearHit&) = delete;

  const NearValue& value() const { return *value_; }
  bool is_to_verify() const { return is_to_verify_; }
  void release() {
    if (guard_ != nullptr) guard_->store(nullptr, std::memory_order_release);
    guard_ = nullptr;
  }

 private:
  friend class NearCore;
  const NearValue* value_ = nullptr;
  std::atomic<const void*>* guard_ = nullptr;
  bool is_to_verify_ = false;
  std::chrono::steady_clock::time_point loaded_at_{};
};

struct NearSetup {
  std::size_t max_bytes = 0;
  std::chrono::milliseconds load_timeout{0};
  double verify = 0;
  bool can_compare = false;
};

class NearCore {
 public:
  using Loader = std::function<NearValuePtr()>;

  NearCore(Client& client, const NearSetup& setup);
  ~NearCore();
  NearCore(const NearCore&) = delete;
  NearCore& operator=(const NearCore&) = delete;

  // Whether there is a local copy; then the read is counted and recorded. Lock-free.
  bool find(std::string_view key, NearHit& hit) noexcept;
  // The value by this caller's loader or another's; recorded.
  NearValuePtr load(std::string_view key, const Loader& loader);
  // False while another caller verifies; true must be followed by one of the next two.
  bool begin_verify() noexcept;
  void end_verify(const NearHit& hit, bool is_equal) noexcept;
  void fail_verify() noexcept;
  NearStats stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace detail
}  // namespace hotkey
