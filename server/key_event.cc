#include "server/key_event.h"

#include "base/clock.h"

namespace hotkeyd {
namespace {

EventActions to_event_actions(const Actions& actions) {
  EventActions out;
  if (actions.near_cache) {
    out.near_cache = EventNearCache{static_cast<std::uint64_t>(to_ms(actions.near_cache->ttl)),
                                    actions.near_cache->max_value_bytes};
  }
  out.hot_pool_copies = actions.hot_pool_copies;
  out.split_shards = actions.split_shards;
  out.alert = actions.alert;
  return out;
}

void copy_figures(const KeyFigures& figures, KeyData& out) {
  out.count = figures.count;
  out.rate = figures.rate;
  out.error = figures.error;
  out.share = figures.share;
  out.reads = figures.reads;
  out.writes = figures.writes;
  out.misses = figures.misses;
  out.local_hits = figures.local_hits;
  out.bytes = figures.bytes;
  out.sample = figures.sample;
}

}  // namespace

KeyData to_key_data(const HotKey& key, std::int64_t lease_ms) {
  KeyData out;
  out.key = key.key;
  out.seq = key.seq;
  out.state = key.is_hot ? "hot" : "cold";
  out.key_class = to_string(key.key_class);
  out.level = to_string(key.level);
  out.rule = key.rule;
  out.reason = to_string(key.reason);
  copy_figures(key.figures, out);
  out.window_ms = key.window_ms;
  out.detected_at_ms = key.detected_at_ms;
  out.lease_ms = lease_ms;
  out.actions = to_event_actions(key.actions);
  return out;
}

EventType to_event_type(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::promoted:
      return EventType::promoted;
    case DecisionKind::updated:
      return EventType::updated;
    case DecisionKind::demoted:
      break;
  }
  return EventType::demoted;
}

std::vector<std::string> encode_hot_keys(const Stream& stream, const std::vector<const HotKey*>& keys,
                                         std::int64_t lease_ms) {
  std::vector<std::string> out;
  out.reserve(keys.size());
  for (const HotKey* key : keys) out.push_back(encode_key_data(stream, to_key_data(*key, lease_ms)));
  return out;
}

}  // namespace hotkeyd
