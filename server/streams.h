// Tells what was decided: each decision becomes one event, encoded once, for local subscribers and the
// Outlet.
//
// Decisions take effect and get their numbers at once; they are told at most 1,000 per 100 ms, streams in
// turn, each in its own order, so that DISABLE of 10,000 keys floods nobody. What waits is bounded by
// `kUntoldBytesMax`: beyond it the oldest are told at once. A stream with untold events gets no heartbeat
// (its seq would be a gap). Data thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "detector/detector.h"
#include "server/local_stream.h"
#include "server/options.h"
#include "server/stats.h"
#include "server/stream_snapshot.h"
#include "server/subscriptions.h"
#include "wire/published.h"

namespace hotkeyd {

class Streams {
 public:
  static constexpr std::size_t kToldPerPace = 1000;
  static constexpr Duration kPace = std::chrono::milliseconds{100};
  static constexpr Duration kHeartbeat = std::chrono::seconds{1};
  static constexpr std::size_t kUntoldBytesMax = 32 << 20;

  // All must outlive this; `outlet` may be null. Namespaces that the detector already has are opened.
  Streams(const ServerOptions& options, Detector& detector, LocalStreams& streams,
          Subscriptions& subscriptions, Outlet* outlet, Now start);

  // Detector::open, and whoever must know of a new namespace is told.
  Result<NamespaceId> open(std::string_view ns);

  // Opens those that the detector has got meanwhile.
  void adopt_namespaces() { opened_until(detector_.namespaces()); }

  // Tells them, or keeps them until it is their turn. `read_at`: when the deciding batch was read, if one
  // was. Leaves `decisions` empty.
  void tell(Decisions& decisions, std::optional<Time> read_at);
  // One event per key. Returns the number of connections that follow the namespace.
  std::size_t invalidate(NamespaceId ns, std::span<const std::string_view> keys, Now now);
  void tell_rules_changed(Now now);
  void deliver_foreign(std::string_view ns, std::string_view bytes);

  // Tells what is due by now, and sends heartbeats. To be called at least every kPace.
  void tick(Now now);
  // Tells everything that waits, without pace.
  void tell_all();

  // The hot set now, its figures as of the last tick. Of a namespace that is not open: empty, seq 0.
  std::shared_ptr<const StreamSnapshot> capture(LocalStream& stream) const;
  // Bytes that captures have encoded so far: what they cost.
  std::uint64_t captured_bytes() const { return captured_bytes_; }
  // As it is before the first event.
  std::shared_ptr<const StreamSnapshot> empty_snapshot(const LocalStream& stream) const;
  std::shared_ptr<const StreamSnapshot> capture(std::string_view ns) const;
  // The `data` of each hot key of a namespace.
  std::vector<std::string> encode_hot_set(std::string_view ns) const;
  PublishedSnapshot published_snapshot(std::string_view ns) const;

  const DelayHistogram& detection_delay() const { return detection_delay_; }
  std::size_t untold() const { return untold_; }

 private:
  void opened_until(std::size_t namespaces);
  void enqueue(LocalStream& stream, Untold untold, bool at_once);
  void tell_waiting();
  void tell_next();
  void tell_now(LocalStream& stream, const Untold& untold);
  void count_hot(LocalStream& stream, EventType type) const;
  void observe_delay(const Untold& untold);
  void publish(const LocalStream& stream, const Untold& untold, const SharedBytes& bytes) const;
  std::string encode(const LocalStream& stream, const Untold& untold) const;
  void heartbeat(const LocalStream& stream, UnixMs now_ms) const;
  Stream wire_stream(const LocalStream& stream) const;
  std::uint64_t last_seq(const LocalStream& stream) const;
  std::vector<const HotKey*> hot_keys(const LocalStream& stream) const;

  const ServerOptions& options_;
  Detector& detector_;
  LocalStreams& streams_;
  Subscriptions& subscriptions_;
  Outlet* outlet_;

  std::deque<LocalStream*> waiting_;  // Streams with untold events, the next one first.
  std::size_t untold_ = 0;
  std::size_t untold_bytes_ = 0;
  std::size_t budget_ = kToldPerPace;
  UnixMs ticked_ms_;
  Time next_pace_;
  Time next_heartbeat_;
  DelayHistogram detection_delay_;
  mutable std::uint64_t captured_bytes_ = 0;
};

}  // namespace hotkeyd
