#include "sdk/cpp/src/public_event.h"

namespace hotkeyd::sdk {
namespace {

hotkey::EventType to_public(EventType type) {
  switch (type) {
    case EventType::promoted:
      return hotkey::EventType::promoted;
    case EventType::updated:
      return hotkey::EventType::updated;
    case EventType::demoted:
      return hotkey::EventType::demoted;
    case EventType::invalidated:
      return hotkey::EventType::invalidated;
    case EventType::rules_changed:
      return hotkey::EventType::rules_changed;
    case EventType::snapshot:
      return hotkey::EventType::snapshot;
    case EventType::heartbeat:
      break;
  }
  return hotkey::EventType::interrupted;
}

hotkey::Actions to_public(const EventActions& actions) {
  hotkey::Actions out{.hot_pool_copies = actions.hot_pool_copies,
                      .split_shards = actions.split_shards,
                      .alert = actions.alert};
  if (actions.near_cache) {
    out.near_cache = {.ttl = std::chrono::milliseconds(actions.near_cache->ttl_ms),
                      .max_value_bytes = actions.near_cache->max_value_bytes};
  }
  return out;
}

hotkey::HotKey to_public(const KeyData& data) {
  return {.key = data.key,
          .hot = data.state == "hot",
          .scope = data.scope,
          .key_class = data.key_class,
          .level = data.level,
          .rule = data.rule.value_or(""),
          .reason = data.reason,
          .count = data.count,
          .rate = data.rate,
          .error = data.error,
          .share = data.share,
          .reads = data.reads,
          .writes = data.writes,
          .misses = data.misses,
          .local_hits = data.local_hits,
          .bytes = data.bytes,
          .window = std::chrono::milliseconds(data.window_ms),
          .sample = data.sample,
          .detected_at_ms = data.detected_at_ms,
          .actions = to_public(data.actions)};
}

}  // namespace

hotkey::Event to_public(const Event& event) {
  hotkey::Event out{.type = to_public(event.type),
                    .id = event.id,
                    .ns = event.stream.ns,
                    .node = event.stream.node,
                    .epoch = event.stream.epoch,
                    .seq = event.seq,
                    .key = event.key,
                    .part = event.part,
                    .parts = event.parts};
  if (event.data) out.hot_key = to_public(*event.data);
  for (const KeyData& data : event.keys) out.keys.push_back(to_public(data));
  return out;
}

}  // namespace hotkeyd::sdk
