// Decides what the Redis publisher does: pure, driven by items, replies and time.
//
//   down ──backoff──► connecting ──► settling ──► running
//    ▲                    │              │           │
//    └──── lost ──────────┴──────────────┴───────────┘
//
// After the first connection the streams begin at once; after a lost one at a random moment within
// `settle_max`, so that a fleet does not rewrite its hashes in the same second. `up` is true from when every
// known stream has been synced until the connection is lost or the server refuses a transaction.
//
// What fails: events a snapshot heals are counted and forgotten, their stream is published anew by a
// snapshot; invalidations are kept and sent again after it. A refusal that concerns the whole server (NOAUTH,
// READONLY, LOADING, MASTERDOWN) is taken as a lost connection, since a new one may lead elsewhere; any other
// stops only its namespace. Each kind of error is logged at most once per 10 s.
//
// Bounds: items are taken only while less than `window_bytes` is unanswered; invalidations kept are limited
// as the queue is. One thread (control).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/backoff.h"
#include "base/clock.h"
#include "base/random.h"
#include "publisher/error_log.h"
#include "publisher/publish_item.h"
#include "publisher/redis_stream.h"
#include "publisher/redis_transaction.h"
#include "publisher/stats.h"
#include "redis/command.h"
#include "redis/reply.h"

namespace hotkeyd {

struct RedisPlanOptions {
  Duration heartbeat = std::chrono::seconds{3};
  Duration settle_max = std::chrono::seconds{3};
  Duration reconnect_min = std::chrono::milliseconds{100};
  Duration reconnect_max = std::chrono::seconds{5};
  std::size_t kept_events_max = 20'000;
  std::size_t kept_bytes_max = 32 << 20;
  std::size_t window_bytes = 4 << 20;
};

// What the edge is to do.
struct OpenConnection {
  bool operator==(const OpenConnection&) const = default;
};
struct CloseConnection {
  bool operator==(const CloseConnection&) const = default;
};
struct SendCommands {
  std::vector<RedisCommand> commands;  // MULTI and EXEC included; answered by replied().
  bool operator==(const SendCommands&) const = default;
};
struct RequestSnapshot {
  std::string ns;
  bool operator==(const RequestSnapshot&) const = default;
};
using PlanAction = std::variant<OpenConnection, CloseConnection, SendCommands, RequestSnapshot, ErrorLine>;

class RedisPlan {
 public:
  RedisPlan(const PublisherIdentity& identity, const RedisPlanOptions& options);
  RedisPlan(const RedisPlan&) = delete;
  RedisPlan& operator=(const RedisPlan&) = delete;

  // Whether items are to be offered now; when not, a reply changes it.
  bool wants_items() const { return state_ != State::running || in_flight_bytes_ < options_.window_bytes; }
  void offer(PublishItem item, const Now& now);
  void connected(Time now);
  void lost(const RedisLost& lost, Time now);                     // The edge's connection is closed already.
  void replied(std::vector<RedisReply> replies, const Now& now);  // To the oldest SendCommands.
  void advance(const Now& now);  // Does what is due; call it after any of the above.

  std::vector<PlanAction> take_actions() { return std::exchange(actions_, {}); }
  Time next_wake(Time now) const;
  // The end is near. A server that is there now, or was not asked yet, is owed what was offered: if it is
  // lost meanwhile it may come back. One that is away already, or that refuses, is not waited for.
  void drain() { is_owed_ = !is_cut_off_; }
  // Whether everything offered has been acknowledged or there is nobody to send it to.
  bool is_drained() const;
  PublisherStats stats() const;  // Without the queue and the name.

 private:
  enum class State { down, connecting, settling, running };

  RedisStream& stream_of(const std::string& ns, Time now);
  void offer_event(PublishedEvent event, Time now);
  void offer_gap(const std::string& ns, Time now);
  void offer_snapshot(const PublishedSnapshot& snapshot, Time now);
  void keep(RedisStream& stream, PublishedEvent event);
  void fail_events(std::vector<PublishedEvent> events, RedisStream& stream, const std::string& reason);
  void send(RedisTransaction transaction);
  void start_streams(Time now);
  void publish(RedisStream& stream, const Now& now);
  void refused(RedisTransaction transaction, const std::string& error, Time now);
  void accepted(const RedisTransaction& transaction, const std::vector<RedisReply>& results, Time now);
  bool judge(const RedisTransaction& transaction, std::size_t at, const RedisReply& result, Time now);
  void keep_house(const RedisTransaction& transaction, const std::vector<RedisReply>& results);
  void probe_members(const std::string& ns, const RedisReply& members);
  void remove_dead(const RedisTransaction& transaction, const std::vector<RedisReply>& results);
  void log(std::string_view kind, const std::string& event, const std::string& ns, const std::string& reason,
           Time now);
  void update_up();

  PublisherIdentity identity_;
  RedisPlanOptions options_;
  Random random_;
  Backoff reconnect_;
  TransactionWriter writer_;
  State state_ = State::down;
  Time next_step_{};  // down: when to connect; settling: when the streams begin.
  bool was_connected_ = false;
  bool up_ = false;
  bool is_owed_ = false;     // Draining, and there is a server to drain to.
  std::string trouble_;      // Why it is not up, for stats().
  bool is_cut_off_ = false;  // A connection failed and no other works: events fail, for `failed_reason_`.
  std::string failed_reason_;
  std::map<std::string, RedisStream> streams_;
  std::deque<RedisTransaction> in_flight_;
  std::size_t in_flight_bytes_ = 0;
  std::vector<PlanAction> actions_;
  ErrorLog errors_;
  std::uint64_t events_ = 0;
  std::map<std::string, std::uint64_t> failed_events_;
};

}  // namespace hotkeyd
