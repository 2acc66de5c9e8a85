// One namespace's stream on its way to Redis: whether it may be published now, or what it waits for.
//
//   closed ──begin──► wanted ──request──► asked ──snapshot──► open
//      ▲                 ▲                  │ no answer          │
//      └── end: from     └──────────────────┴── broken ──────────┘
//          any state
//
// Only an open stream is published. Until then its events are dropped, since the snapshot holds what they
// say, but for invalidations, which are kept and follow the snapshot. A stream is broken by a gap, by a hash
// that has gone and by a server that refuses: it asks for a snapshot again, at most once a second. Pure; one
// thread (control).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/backoff.h"
#include "base/clock.h"
#include "base/random.h"
#include "publisher/publish_item.h"
#include "publisher/redis_transaction.h"

namespace hotkeyd {

struct RedisStreamOptions {
  Duration lease = std::chrono::seconds{10};
  Duration heartbeat = std::chrono::seconds{3};
  std::size_t batch_events_max = 500;
  std::size_t batch_bytes_max = 1 << 20;
};

class RedisStream {
 public:
  RedisStream(std::string ns, const RedisStreamOptions& options, std::uint64_t seed);

  const std::string& ns() const { return ns_; }
  bool is_open() const { return state_ == State::open; }
  bool awaits_snapshot() const { return state_ == State::asked || state_ == State::wanted; }
  bool is_synced() const { return is_open() && acknowledged_; }
  // Nothing is to be sent: all of it was, or the server refuses it.
  bool is_drained() const { return is_open() ? backlog_events() == 0 : is_refused_; }

  void begin(Time now);                        // The server may be written to.
  void end();                                  // It is lost.
  void broken(Time now);                       // As soon as allowed, the stream starts anew.
  void refused(Time now);                      // The same, after a growing pause.
  void offer(PublishedEvent event, Time now);  // Only while open.
  void keep(PublishedEvent event);             // An invalidation, for after the next snapshot.
  // The snapshot came: its transaction, with which the stream opens.
  RedisTransaction open(const PublishedSnapshot& snapshot, const TransactionWriter& writer, Time now);
  void acknowledged(std::uint64_t generation);  // The transaction of that snapshot was accepted.

  // What is due; each is to be called again until it has nothing more.
  bool take_request(Time now);
  std::optional<RedisTransaction> take_batch(const TransactionWriter& writer, UnixMs at);
  std::optional<RedisTransaction> take_heartbeat(const TransactionWriter& writer, const Now& now);
  Time next_wake(Time now) const;

  std::uint64_t generation() const { return generation_; }
  std::size_t backlog_events() const { return kept_.size() + batch_.size(); }
  std::size_t kept_bytes() const { return kept_bytes_; }

 private:
  enum class State { closed, wanted, asked, open };

  void set_hot_keys(std::size_t hot_keys, Time now);
  bool is_warm(Time now) const { return position_.hot_keys > 0 || now < warm_until_; }
  std::vector<PublishedEvent> take_kept();

  std::string ns_;
  RedisStreamOptions options_;
  Random random_;
  Backoff retry_;
  State state_ = State::closed;
  std::uint64_t generation_ = 0;  // Counts the snapshots, so that late replies are told apart.
  bool acknowledged_ = false;
  bool is_refused_ = false;  // The server took neither events nor a snapshot since.
  Time request_at_{};        // wanted: when to ask; asked: when to ask again.
  Time request_not_before_{};
  std::vector<PublishedEvent> kept_;
  std::size_t kept_bytes_ = 0;
  std::vector<PublishedEvent> batch_;
  StreamPosition position_;
  bool hash_expected_ = false;
  Time warm_until_{};
  Time heartbeat_at_{};
};

}  // namespace hotkeyd
