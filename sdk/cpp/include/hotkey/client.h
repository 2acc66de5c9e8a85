// The hotkey SDK: tells the daemon on this host which keys are accessed, and knows which of them are hot.
//
//   hotkey::Client client({.endpoint = "unix:///run/hotkeyd/hotkeyd.sock", .app = "cart", .ns = "shop"});
//   client.record_read("product:1", value.size());
//   if (client.is_hot("product:1")) ...
//
// One client a process and namespace is enough: every member may be called from any thread. Recording counts
// in a table of the calling thread; a background thread sends the tables each `flush_interval`, earlier when
// a key rises suddenly. Guarantees:
// - The application never waits and is never taken down: no call but `flush` blocks, throws or, once warm,
//   allocates. Without a daemon calls cost the same, nothing is hot, and counts are dropped and counted.
// - recorded = acknowledged + dropped + pending at any moment, in accesses.
// - Everything is bounded: about 0.5 MiB a recording thread, 1024 threads, 4 unacknowledged batches. What
// does not
//   fit is dropped and counted.
// - After fork the child is a new producer that starts at zero; its background thread starts with the next
// call. Bad options disable the client instead of failing: `status` and `on_error` say why. Nobody may call
// into a client that is being destroyed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "hotkey/event.h"

namespace hotkey {

namespace detail {
class NearCore;
}

// The environment goes before these: HOTKEY_ENDPOINT, HOTKEY_APP, HOTKEY_NAMESPACE, HOTKEY_FLUSH_INTERVAL_MS,
// HOTKEY_MAX_STALENESS_MS, HOTKEY_SDK_DISABLED ("true"). An empty variable counts as not set; one that cannot
// be read is reported and ignored.
struct Options {
  // unix:///path or tcp://[user:pass@]host:port. Empty: /run/hotkeyd/hotkeyd.sock where that exists, else
  // $XDG_RUNTIME_DIR/hotkeyd.sock where that exists, else the first.
  std::string endpoint = {};
  std::string app = {};                           // Names the producer; empty: the program's name.
  std::string ns = {};                            // Required: [A-Za-z0-9_.-]{1,128}.
  std::chrono::milliseconds flush_interval{100};  // 10 ms to 10 s.
  // No copy kept by something built on this client may be older, whatever a rule allows; 0: no bound of its
  // own.
  std::chrono::milliseconds max_staleness{0};
  bool disabled = false;
  // Hears of troubles in one sentence each: options, connection, refusals; the same one at most every 10 s.
  // Called by the constructor or on the background thread. Empty: bad options go to standard error, the rest
  // is silent.
  std::function<void(std::string_view)> on_error = {};
};

// In accesses: a read or write each is one.
struct Stats {
  std::uint64_t recorded = 0;
  std::uint64_t acknowledged = 0;  // Taken by the daemon.
  std::uint64_t dropped = 0;
  std::uint64_t pending = 0;
};

struct Status {
  enum class State { disabled, connecting, connected };
  State state = State::disabled;
  std::string detail = {};  // The endpoint, without password, and the last trouble.
};

class Client {
 public:
  explicit Client(const Options& options);
  ~Client();  // Sends what is left, for at most 200 ms.
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // A key is any bytes; an empty one or one over 65,536 bytes is counted as dropped. `bytes` is the size of
  // the value, 0 when unknown. record_miss: a read that found nothing. record_local_hit: a read answered in
  // this process.
  void record_read(std::string_view key, std::size_t bytes = 0) noexcept;
  void record_write(std::string_view key, std::size_t bytes = 0) noexcept;
  void record_miss(std::string_view key) noexcept;
  void record_local_hit(std::string_view key, std::size_t bytes = 0) noexcept;

  // Whether the key is hot now, of whatever class. Wait-free but while the set is rebuilt; it compares 64-bit
  // keyed hashes, so that a wrong yes has a chance of about 2^-50.
  bool is_hot(std::string_view key) const noexcept;

  // Drops the copies of this client's near caches before it returns, then tells every subscriber that the
  // value changed. Queued while there is no daemon; false when the queue (1024 keys, 1 MiB) is full or the
  // client is disabled.
  bool invalidate(std::string_view key) noexcept;

  // Calls back on the background thread for every event of the namespace, heartbeats excepted, in order. What
  // the callback throws is reported and swallowed. It must not destroy the client.
  using EventCallback = std::function<void(const Event&)>;
  std::uint64_t on_event(EventCallback callback);  // A number for remove_event_callback.
  void remove_event_callback(
      std::uint64_t id);  // After it returns the callback does not run (unless it is the caller).

  Stats stats() const noexcept;
  Status status() const;
  std::chrono::milliseconds max_staleness() const noexcept;
  // Waits until everything recorded before is acknowledged or dropped; false after the timeout.
  bool flush(std::chrono::milliseconds timeout);

 private:
  friend class detail::NearCore;
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hotkey
