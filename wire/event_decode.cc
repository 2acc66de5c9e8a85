#include <nlohmann/json.hpp>

#include <utility>

#include "base/text.h"
#include "wire/event.h"
#include "wire/json_reader.h"

namespace hotkeyd {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDepthMax = 16;  // An event of ours has 6.

// Whether brackets nest deeper than `kDepthMax`: such a text is refused before a tree of it is built.
bool nests_too_deep(std::string_view json) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') in_text = !in_text;
    if (in_text) {
      at += c == '\\' ? 1 : 0;
      continue;
    }
    if ((c == '{' || c == '[') && ++depth > kDepthMax) return true;
    if ((c == '}' || c == ']') && depth > 0) --depth;
  }
  return false;
}

std::optional<EventType> to_type(std::string_view name) {
  for (const auto type : {EventType::promoted, EventType::updated, EventType::demoted, EventType::invalidated,
                          EventType::rules_changed, EventType::snapshot, EventType::heartbeat}) {
    if (name == to_string(type)) return type;
  }
  return std::nullopt;
}

std::optional<EventNearCache> read_near_cache(JsonReader actions) {
  if (!actions.has("near_cache")) return std::nullopt;
  JsonReader near_cache = actions.object("near_cache");
  return EventNearCache{near_cache.number("ttl_ms"), near_cache.number("max_value_bytes")};
}

std::optional<std::uint32_t> read_action(JsonReader actions, const char* action, const char* name) {
  if (!actions.has(action)) return std::nullopt;
  return actions.object(action).small_number(name);
}

EventActions read_actions(JsonReader actions) {
  return {.near_cache = read_near_cache(actions),
          .hot_pool_copies = read_action(actions, "hot_pool", "copies"),
          .split_shards = read_action(actions, "split", "shards"),
          .alert = actions.boolean("alert")};
}

void read_figures(JsonReader& json, KeyData& data) {
  data.count = json.number("count");
  data.rate = json.number("rate");
  data.error = json.number("error");
  data.share = json.fraction("share");
  data.reads = json.number("reads");
  data.writes = json.number("writes");
  data.misses = json.number("misses");
  data.local_hits = json.number("local_hits");
  data.bytes = json.number("bytes");
  data.window_ms = json.signed_number("window_ms");
  data.sample = json.small_number("sample");
  data.detected_at_ms = json.signed_number("detected_at_ms");
  data.lease_ms = json.signed_number("lease_ms");
}

KeyData read_key_data(JsonReader json) {
  KeyData data;
  data.key = json.key();
  data.seq = json.number("seq");
  data.scope = json.text("scope");
  data.state = json.text("state");
  data.key_class = json.text("class");
  data.level = json.text("level");
  if (json.has("rule")) data.rule = json.text("rule");
  data.reason = json.text("reason");
  read_figures(json, data);
  data.actions = read_actions(json.object("actions"));
  return data;
}

Stream read_stream(JsonReader& json) {
  Stream stream{.node = json.text("node"), .epoch = json.number("epoch"), .ns = json.text("ns")};
  if (!is_valid_name(stream.node)) json.fail("node", "is not a name");
  if (!is_valid_name(stream.ns)) json.fail("ns", "is not a name");
  return stream;
}

void read_keys(JsonReader& json, Event& event) {
  const Json& keys = json.member("keys");
  if (!keys.is_array()) json.fail("keys", "is not an array");
  for (const Json& entry : keys) {
    if (json.failed()) return;
    JsonReader reader = json.of(entry);
    event.keys.push_back(read_key_data(reader));
    event.key_versions.emplace_back(reader.number("epoch"), event.keys.back().seq);
  }
}

void read_snapshot(JsonReader& json, Event& event) {
  event.part = json.number("part");
  event.parts = json.number("parts");
  event.lease_ms = json.signed_number("lease_ms");
  if (event.part == 0 || event.part > event.parts) json.fail("part", "is not one of parts");
  read_keys(json, event);
}

void read_data(JsonReader json, Event& event) {
  event.stream = read_stream(json);
  event.seq = json.number("seq");
  switch (event.type) {
    case EventType::promoted:
    case EventType::updated:
    case EventType::demoted:
      event.data = read_key_data(json);
      event.key = event.data->key;
      event.lease_ms = event.data->lease_ms;
      return;
    case EventType::invalidated:
      event.key = json.key();
      return;
    case EventType::rules_changed:
      return;
    case EventType::snapshot:
      return read_snapshot(json, event);
    case EventType::heartbeat:
      event.hot_keys = json.number("hot_keys");
      event.lease_ms = json.signed_number("lease_ms");
      return;
  }
}

}  // namespace

Result<Event> decode_event(std::string_view json) {
  if (nests_too_deep(json)) return Error{"event: nested too deep"};
  const Json parsed = Json::parse(json.begin(), json.end(), nullptr, false);
  if (!parsed.is_object()) return Error{"event: not a JSON object"};
  std::string error;
  JsonReader reader(parsed, &error);
  const auto type = to_type(reader.text("type"));
  if (!type) reader.fail("type", "is unknown");
  Event event;
  event.type = type.value_or(EventType::heartbeat);
  event.id = reader.text("id");
  if (!reader.failed()) read_data(reader.object("data"), event);
  if (reader.failed()) return Error{"event: " + error};
  return event;
}

}  // namespace hotkeyd
