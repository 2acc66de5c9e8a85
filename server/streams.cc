#include "server/streams.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/log.h"
#include "server/key_event.h"

namespace hotkeyd {
namespace {

// What an event delivers to every feed whose snapshot is older.
void deliver(const LocalStream& stream, std::uint64_t seq, std::string_view bytes) {
  Message message(stream.channel, bytes);
  for (Feed* feed : stream.feeds) feed->mailbox.deliver(*feed, seq, message);
}

bool is_of_key(EventType type) {
  return type == EventType::promoted || type == EventType::updated || type == EventType::demoted;
}

}  // namespace

Streams::Streams(const ServerOptions& options, Detector& detector, LocalStreams& streams,
                 Subscriptions& subscriptions, Outlet* outlet, Now start)
    : options_(options),
      detector_(detector),
      streams_(streams),
      subscriptions_(subscriptions),
      outlet_(outlet),
      ticked_ms_(start.unix_ms),
      next_pace_(start.steady + kPace),
      next_heartbeat_(start.steady + kHeartbeat / 2) {
  opened_until(detector.namespaces());
}

Result<NamespaceId> Streams::open(std::string_view ns) {
  auto id = detector_.open(ns);
  if (id && *id >= streams_.opened()) opened_until(detector_.namespaces());
  return id;
}

void Streams::opened_until(std::size_t namespaces) {
  while (streams_.opened() < namespaces) {
    const auto id = static_cast<NamespaceId>(streams_.opened());
    LocalStream& stream = streams_.open(detector_.name(id));
    stream.hot_keys = detector_.hot_keys(id).size();
    if (outlet_ != nullptr) outlet_->namespace_opened(stream.ns);
    subscriptions_.namespace_opened(stream, empty_snapshot(stream));
  }
}

void Streams::tell(Decisions& decisions, std::optional<Time> read_at) {
  if (!decisions.empty()) opened_until(detector_.namespaces());
  for (Decision& decision : decisions) {
    LocalStream& stream = streams_.at(decision.ns);
    enqueue(stream, to_untold(std::move(decision), read_at), budget_ > 0);
  }
  decisions.clear();
}

// `at_once`: it need not wait, unless others of its stream do.
void Streams::enqueue(LocalStream& stream, Untold untold, bool at_once) {
  if (at_once && stream.untold.empty()) {
    if (is_of_key(untold.type)) --budget_;
    return tell_now(stream, untold);
  }
  ++untold_;
  untold_bytes_ += untold.bytes();
  if (stream.untold.empty()) waiting_.push_back(&stream);
  stream.untold.push_back(std::move(untold));
  while (untold_bytes_ > kUntoldBytesMax) tell_next();
}

void Streams::tell_next() {
  LocalStream& stream = *waiting_.front();
  waiting_.pop_front();
  const Untold untold = std::move(stream.untold.front());
  stream.untold.pop_front();
  if (!stream.untold.empty()) waiting_.push_back(&stream);
  --untold_;
  untold_bytes_ -= untold.bytes();
  tell_now(stream, untold);
}

void Streams::tell_waiting() {
  for (; budget_ > 0 && !waiting_.empty(); --budget_) tell_next();
}

void Streams::tell_all() {
  while (!waiting_.empty()) tell_next();
}

void Streams::tell_now(LocalStream& stream, const Untold& untold) {
  count_hot(stream, untold.type);
  if (!stream.feeds.empty() || outlet_ != nullptr) {
    const auto bytes = std::make_shared<const std::string>(encode(stream, untold));
    deliver(stream, untold.seq, *bytes);
    if (outlet_ != nullptr) publish(stream, untold, bytes);
  }
  observe_delay(untold);
  if (log_level() == LogLevel::debug) {
    log_debug(
        to_string(untold.type).substr(sizeof("hotkey.") - 1),
        {{"ns", stream.ns}, {"key", untold.key.key}, {"seq", untold.seq}, {"rate", untold.key.figures.rate}});
  }
}

void Streams::count_hot(LocalStream& stream, EventType type) const {
  if (type == EventType::promoted) ++stream.hot_keys;
  if (type == EventType::demoted && stream.hot_keys > 0) --stream.hot_keys;
}

void Streams::observe_delay(const Untold& untold) {
  if (untold.type != EventType::promoted || !untold.read_at) return;
  const std::chrono::duration<double> delay = Clock::now() - *untold.read_at;
  detection_delay_.observe(delay.count());
}

std::string Streams::encode(const LocalStream& stream, const Untold& untold) const {
  const Stream name = wire_stream(stream);
  if (is_of_key(untold.type)) {
    return encode_key_event(name, untold.type, to_key_data(untold.key, to_ms(options_.lease)), untold.at_ms);
  }
  if (untold.type == EventType::invalidated) {
    return encode_invalidated(name, untold.key.key, untold.seq, untold.at_ms);
  }
  return encode_rules_changed(name, untold.seq, untold.at_ms);
}

void Streams::publish(const LocalStream& stream, const Untold& untold, const SharedBytes& bytes) const {
  PublishedEvent out{stream.ns, untold.type, untold.seq, untold.key.key, bytes, {}, stream.hot_keys};
  if (untold.type == EventType::promoted || untold.type == EventType::updated) {
    out.key_data = encode_key_data(wire_stream(stream), to_key_data(untold.key, to_ms(options_.lease)));
  }
  outlet_->told(out);
}

std::size_t Streams::invalidate(NamespaceId ns, std::span<const std::string_view> keys, Now now) {
  LocalStream& stream = streams_.at(ns);
  std::size_t at_once = kToldPerPace;
  for (const std::string_view key : keys) {
    Untold untold{EventType::invalidated, detector_.take_seq(ns), now.unix_ms, {}, std::nullopt};
    untold.key.key = std::string(key);
    enqueue(stream, std::move(untold), at_once > 0);
    at_once -= at_once > 0 ? 1 : 0;
  }
  std::set<const Mailbox*> told;
  for (const Feed* feed : stream.feeds) told.insert(&feed->mailbox);
  return told.size();
}

void Streams::tell_rules_changed(Now now) {
  for (std::size_t i = 0; i < streams_.opened(); ++i) {
    const auto ns = static_cast<NamespaceId>(i);
    enqueue(streams_.at(ns),
            {EventType::rules_changed, detector_.take_seq(ns), now.unix_ms, {}, std::nullopt}, true);
  }
}

void Streams::deliver_foreign(std::string_view ns, std::string_view bytes) {
  if (const LocalStream* stream = streams_.find(ns)) deliver(*stream, UINT64_MAX, bytes);
}

void Streams::tick(Now now) {
  ticked_ms_ = now.unix_ms;
  if (now.steady >= next_pace_) {
    budget_ = kToldPerPace;
    next_pace_ = now.steady + kPace;
    tell_waiting();
  }
  if (now.steady < next_heartbeat_) return;
  next_heartbeat_ += kHeartbeat;
  if (next_heartbeat_ <= now.steady) next_heartbeat_ = now.steady + kHeartbeat;
  for (const LocalStream* stream : streams_.all()) {
    if (!stream->feeds.empty() && stream->untold.empty()) heartbeat(*stream, now.unix_ms);
  }
}

void Streams::heartbeat(const LocalStream& stream, UnixMs now_ms) const {
  const std::string bytes = encode_heartbeat(wire_stream(stream), last_seq(stream), hot_keys(stream).size(),
                                             to_ms(options_.lease), now_ms);
  deliver(stream, UINT64_MAX, bytes);
}

Stream Streams::wire_stream(const LocalStream& stream) const {
  return {options_.node, options_.epoch, stream.ns};
}

std::uint64_t Streams::last_seq(const LocalStream& stream) const {
  return stream.id ? detector_.last_seq(*stream.id) : 0;
}

std::vector<const HotKey*> Streams::hot_keys(const LocalStream& stream) const {
  return stream.id ? detector_.hot_keys(*stream.id) : std::vector<const HotKey*>{};
}

std::shared_ptr<const StreamSnapshot> Streams::capture(LocalStream& stream) const {
  const std::uint64_t seq = last_seq(stream);
  auto known = stream.snapshot.lock();
  if (known && known->seq() == seq && known->as_of_ms() == ticked_ms_) return known;
  const Stream name = wire_stream(stream);
  const std::int64_t lease_ms = to_ms(options_.lease);
  auto keys = encode_hot_keys(name, hot_keys(stream), lease_ms);
  for (const std::string& key : keys) captured_bytes_ += key.size();
  auto taken = std::make_shared<const StreamSnapshot>(name, seq, ticked_ms_, lease_ms, std::move(keys));
  stream.snapshot = taken;
  return taken;
}

std::shared_ptr<const StreamSnapshot> Streams::empty_snapshot(const LocalStream& stream) const {
  return std::make_shared<const StreamSnapshot>(wire_stream(stream), 0, ticked_ms_, to_ms(options_.lease),
                                                std::vector<std::string>{});
}

std::shared_ptr<const StreamSnapshot> Streams::capture(std::string_view ns) const {
  if (LocalStream* stream = streams_.find(ns)) return capture(*stream);
  LocalStream unused;
  unused.ns = std::string(ns);
  return capture(unused);
}

std::vector<std::string> Streams::encode_hot_set(std::string_view ns) const {
  const LocalStream* stream = streams_.find(ns);
  if (stream == nullptr) return {};
  return encode_hot_keys(wire_stream(*stream), hot_keys(*stream), to_ms(options_.lease));
}

PublishedSnapshot Streams::published_snapshot(std::string_view ns) const {
  const auto snapshot = capture(ns);
  PublishedSnapshot out{std::string(ns), snapshot->seq(), snapshot->as_of_ms(), {}, {}};
  for (std::size_t part = 0; part < snapshot->parts(); ++part) {
    out.parts.push_back(std::make_shared<const std::string>(snapshot->encode_part(part)));
  }
  const LocalStream* stream = streams_.find(ns);
  if (stream == nullptr) return out;
  for (const HotKey* key : hot_keys(*stream)) {
    out.entries.push_back(
        {key->key, encode_key_data(wire_stream(*stream), to_key_data(*key, to_ms(options_.lease)))});
  }
  return out;
}

}  // namespace hotkeyd
