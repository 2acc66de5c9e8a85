#include "publisher/redis_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "publisher/publish_queue.h"
#include "redis/handshake.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kReasonMax = 300;
constexpr std::size_t kMemberMax = 128;  // The longest name of a node.

std::string reason_of(RedisFailure failure) {
  if (failure == RedisFailure::timeout) return "timeout";
  return failure == RedisFailure::refused ? "refused_by_server" : "connection";
}

bool concerns_server(const std::string& error_code) {
  constexpr std::array<std::string_view, 4> kCodes = {"NOAUTH", "READONLY", "LOADING", "MASTERDOWN"};
  return std::find(kCodes.begin(), kCodes.end(), error_code) != kCodes.end();
}

std::string in_seconds(Duration duration) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(duration).count());
}

}  // namespace

RedisPlan::RedisPlan(const PublisherIdentity& identity, const RedisPlanOptions& options)
    : identity_(identity),
      options_(options),
      random_(identity.seed),
      reconnect_(options.reconnect_min, options.reconnect_max, random_.next()),
      writer_(identity_),
      trouble_("connecting") {}

RedisStream& RedisPlan::stream_of(const std::string& ns, Time now) {
  if (const auto known = streams_.find(ns); known != streams_.end()) return known->second;
  const RedisStreamOptions options{.lease = identity_.lease, .heartbeat = options_.heartbeat};
  RedisStream& stream = streams_.emplace(ns, RedisStream(ns, options, random_.next())).first->second;
  if (state_ == State::running) stream.begin(now);
  return stream;
}

void RedisPlan::offer(PublishItem item, const Now& now) {
  if (auto* event = std::get_if<PublishedEvent>(&item)) return offer_event(std::move(*event), now.steady);
  if (auto* snapshot = std::get_if<PublishedSnapshot>(&item)) return offer_snapshot(*snapshot, now.steady);
  if (auto* opened = std::get_if<NamespaceOpened>(&item))
    return static_cast<void>(stream_of(opened->ns, now.steady));
  offer_gap(std::get<StreamGap>(item).ns, now.steady);
}

void RedisPlan::offer_gap(const std::string& ns, Time now) {
  RedisStream& stream = stream_of(ns, now);
  if (state_ == State::running) stream.broken(now);
}

void RedisPlan::offer_event(PublishedEvent event, Time now) {
  RedisStream& stream = stream_of(event.ns, now);
  if (stream.is_open()) return stream.offer(std::move(event), now);
  if (!is_healed_by_snapshot(event.type)) return keep(stream, std::move(event));
  if (is_cut_off_) ++failed_events_[failed_reason_];
}

void RedisPlan::offer_snapshot(const PublishedSnapshot& snapshot, Time now) {
  RedisStream& stream = stream_of(snapshot.ns, now);
  if (!stream.awaits_snapshot()) return;
  send(stream.open(snapshot, writer_, now));
  send(writer_.members(snapshot.ns));
}

void RedisPlan::keep(RedisStream& stream, PublishedEvent event) {
  std::size_t events = 0;
  std::size_t bytes = 0;
  for (const auto& [ns, each] : streams_) {
    events += each.backlog_events();
    bytes += each.kept_bytes();
  }
  if (events < options_.kept_events_max && bytes < options_.kept_bytes_max)
    return stream.keep(std::move(event));
  ++failed_events_["queue_full"];
}

void RedisPlan::fail_events(std::vector<PublishedEvent> events, RedisStream& stream,
                            const std::string& reason) {
  for (PublishedEvent& event : events) {
    if (is_healed_by_snapshot(event.type)) ++failed_events_[reason];
    if (!is_healed_by_snapshot(event.type)) keep(stream, std::move(event));
  }
}

void RedisPlan::send(RedisTransaction transaction) {
  actions_.emplace_back(SendCommands{wrapped(std::exchange(transaction.commands, {}))});
  in_flight_bytes_ += transaction.bytes;
  in_flight_.push_back(std::move(transaction));
}

void RedisPlan::connected(Time now) {
  state_ = State::settling;
  const Duration pause = was_connected_ && !is_owed_
                             ? std::chrono::duration_cast<Duration>(options_.settle_max * random_.fraction())
                             : Duration::zero();
  next_step_ = now + pause;
  was_connected_ = true;
  is_cut_off_ = false;
  trouble_ = "connected; snapshots follow";
}

void RedisPlan::lost(const RedisLost& lost, Time now) {
  const bool is_refusal = lost.failure == RedisFailure::refused;
  const std::string kind = is_refusal ? error_code_of(lost.message) : reason_of(lost.failure);
  log(kind, is_refusal ? "redis_refused" : "redis_lost", "", lost.message, now);
  state_ = State::down;
  up_ = false;
  is_owed_ &= was_connected_ && !is_refusal;
  is_cut_off_ = true;
  failed_reason_ = reason_of(lost.failure);
  const Duration pause = reconnect_.next();
  next_step_ = now + pause;
  trouble_ = redis_escape(lost.message, kReasonMax) + "; next try in " + in_seconds(pause);
  for (auto& [ns, stream] : streams_) stream.end();
  in_flight_bytes_ = 0;
  for (RedisTransaction& transaction : std::exchange(in_flight_, {})) {
    fail_events(std::move(transaction.events), stream_of(transaction.ns, now), failed_reason_);
  }
}

void RedisPlan::replied(std::vector<RedisReply> replies, const Now& now) {
  if (in_flight_.empty()) return;
  RedisTransaction transaction = std::move(in_flight_.front());
  in_flight_.pop_front();
  in_flight_bytes_ -= transaction.bytes;
  const TransactionOutcome outcome = read_outcome(std::move(replies), transaction.roles.size());
  if (outcome.refusal) return refused(std::move(transaction), *outcome.refusal, now.steady);
  accepted(transaction, outcome.results, now.steady);
}

void RedisPlan::refused(RedisTransaction transaction, const std::string& error, Time now) {
  const std::string code = error_code_of(error);
  if (transaction.is_housekeeping) return log(code, "redis_refused", transaction.ns, error, now);
  RedisStream& stream = stream_of(transaction.ns, now);
  fail_events(std::move(transaction.events), stream, "refused_by_server");
  if (concerns_server(code)) {
    actions_.emplace_back(CloseConnection{});
    return lost({RedisFailure::refused, error}, now);
  }
  log(code, "redis_refused", transaction.ns, error, now);
  up_ = false;
  trouble_ = "connected, but refused: " + redis_escape(error, kReasonMax);
  if (stream.is_open()) stream.refused(now);
}

void RedisPlan::accepted(const RedisTransaction& transaction, const std::vector<RedisReply>& results,
                         Time now) {
  bool is_whole = true;
  for (std::size_t at = 0; at < results.size(); ++at) is_whole &= judge(transaction, at, results[at], now);
  if (transaction.is_housekeeping) return keep_house(transaction, results);
  RedisStream& stream = stream_of(transaction.ns, now);
  if (!is_whole && stream.is_open()) {
    log("hash_gone", "redis_hash_lost", transaction.ns, "the hash is gone or broken; it is written again",
        now);
    return stream.broken(now);
  }
  if (!transaction.snapshot_generation) return;
  stream.acknowledged(*transaction.snapshot_generation);
  update_up();
}

// False when the hash is not what it should be.
bool RedisPlan::judge(const RedisTransaction& transaction, std::size_t at, const RedisReply& result,
                      Time now) {
  const CommandRole role = transaction.roles[at];
  if (result.is_error()) log(error_code_of(result.text), "redis_refused", transaction.ns, result.text, now);
  if (role == CommandRole::publish && !result.is_error()) ++events_;
  if (role == CommandRole::publish && result.is_error()) ++failed_events_["refused_by_server"];
  if (role == CommandRole::exists && transaction.hash_expected) return result.integer == 1;
  return role != CommandRole::hash || !result.is_error();
}

void RedisPlan::keep_house(const RedisTransaction& transaction, const std::vector<RedisReply>& results) {
  if (transaction.members.empty()) return probe_members(transaction.ns, results.front());
  remove_dead(transaction, results);
}

void RedisPlan::probe_members(const std::string& ns, const RedisReply& members) {
  std::vector<std::string> others;
  for (const RedisReply& member : members.items) {
    if (member.text != identity_.node && member.text.size() <= kMemberMax) others.push_back(member.text);
  }
  if (!others.empty()) send(writer_.probe(ns, std::move(others)));
}

void RedisPlan::remove_dead(const RedisTransaction& transaction, const std::vector<RedisReply>& results) {
  std::vector<std::string> dead;
  for (std::size_t at = 0; at < results.size(); ++at) {
    const bool is_gone = results[at].kind == RedisReply::Kind::integer && results[at].integer == 0;
    if (is_gone) dead.push_back(transaction.members[at]);
  }
  if (!dead.empty()) send(writer_.remove(transaction.ns, dead));
}

void RedisPlan::log(std::string_view kind, const std::string& event, const std::string& ns,
                    const std::string& reason, Time now) {
  if (auto line = errors_.admit(kind, {event, ns, reason.substr(0, kReasonMax), 0}, now))
    actions_.emplace_back(*line);
}

void RedisPlan::update_up() {
  const auto is_synced = [](const auto& entry) { return entry.second.is_synced(); };
  if (state_ != State::running || !std::all_of(streams_.begin(), streams_.end(), is_synced)) return;
  up_ = true;
  reconnect_.reset();
}

void RedisPlan::start_streams(Time now) {
  state_ = State::running;
  for (auto& [ns, stream] : streams_) stream.begin(now);
  update_up();
}

void RedisPlan::advance(const Now& now) {
  if (state_ == State::down && now.steady >= next_step_) {
    state_ = State::connecting;
    actions_.emplace_back(OpenConnection{});
  }
  if (state_ == State::settling && now.steady >= next_step_) start_streams(now.steady);
  if (state_ != State::running) return;
  for (auto& [ns, stream] : streams_) publish(stream, now);
}

void RedisPlan::publish(RedisStream& stream, const Now& now) {
  if (stream.take_request(now.steady)) actions_.emplace_back(RequestSnapshot{stream.ns()});
  while (auto batch = stream.take_batch(writer_, now.unix_ms)) send(std::move(*batch));
  auto heartbeat = stream.take_heartbeat(writer_, now);
  if (!heartbeat) return;
  send(std::move(*heartbeat));
  send(writer_.members(stream.ns()));
}

Time RedisPlan::next_wake(Time now) const {
  if (state_ == State::down || state_ == State::settling) return next_step_;
  Time wake = Time::max();
  if (state_ != State::running) return wake;
  for (const auto& [ns, stream] : streams_) wake = std::min(wake, stream.next_wake(now));
  return wake;
}

bool RedisPlan::is_drained() const {
  const auto is_done = [](const auto& entry) { return entry.second.is_drained(); };
  if (state_ == State::down || state_ == State::connecting) return !is_owed_;
  if (state_ == State::settling && is_owed_) return false;
  return in_flight_.empty() && std::all_of(streams_.begin(), streams_.end(), is_done);
}

PublisherStats RedisPlan::stats() const {
  PublisherStats stats;
  stats.events = events_;
  stats.failed_events = failed_events_;
  stats.up = up_;
  stats.state = up_ ? "connected" : trouble_;
  for (const auto& [ns, stream] : streams_) stats.queue_events += stream.backlog_events();
  for (const RedisTransaction& transaction : in_flight_) stats.queue_events += transaction.events.size();
  for (const auto& [ns, stream] : streams_) stats.queue_bytes += stream.kept_bytes();
  stats.queue_bytes += in_flight_bytes_;
  return stats;
}

}  // namespace hotkeyd
