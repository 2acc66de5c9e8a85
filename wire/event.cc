#include "wire/event.h"

#include <numeric>

#include "base/text.h"
#include "wire/json_writer.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kSubjectBytesMax = 1024;
constexpr std::size_t kKeyDataBytes = 640;  // Roughly, without the key.

// What stands around `data`. A view: lives for one call.
struct Envelope {
  EventType type;
  std::uint64_t seq;
  std::int64_t at_ms;
  std::string_view id_tail;     // "/snapshot/..." or "/heartbeat/..."
  const std::string_view* key;  // Null for stream-wide events.
};

std::string stream_path(const Stream& stream) {
  return stream.node + '/' + std::to_string(stream.epoch) + '/' + stream.ns;
}

std::string sequence(std::uint64_t seq) {
  const std::string digits = std::to_string(seq);
  return std::string(20 - digits.size(), '0') + digits;
}

void write_envelope(JsonWriter& json, const Stream& stream, const Envelope& envelope) {
  const std::string path = stream_path(stream);
  json.text("specversion", "1.0");
  json.text("id", path + '/' + std::to_string(envelope.seq) + std::string(envelope.id_tail));
  json.text("source", "/hotkeyd/" + path);
  json.text("type", to_string(envelope.type));
  if (envelope.key != nullptr) json.text("subject", redis_escape(*envelope.key, kSubjectBytesMax));
  json.text("time", rfc3339(envelope.at_ms));
  json.text("datacontenttype", "application/json");
  json.text("partitionkey",
            stream.ns + '|' + (envelope.key != nullptr ? redis_escape(*envelope.key) : stream.node));
  json.text("sequence", sequence(envelope.seq));
}

void write_stream(JsonWriter& json, const Stream& stream, std::uint64_t seq) {
  json.text("node", stream.node);
  json.number("epoch", stream.epoch);
  json.number("seq", seq);
}

// {"name":number}, or null while the action does not apply.
void write_action(JsonWriter& json, std::string_view action, std::string_view name,
                  const std::optional<std::uint32_t>& value) {
  if (!value) return json.null(action);
  json.begin_object(action);
  json.number(name, *value);
  json.end_object();
}

void write_near_cache(JsonWriter& json, const std::optional<EventNearCache>& near_cache) {
  if (!near_cache) return json.null("near_cache");
  json.begin_object("near_cache");
  json.number("ttl_ms", near_cache->ttl_ms);
  json.number("max_value_bytes", near_cache->max_value_bytes);
  json.end_object();
}

void write_actions(JsonWriter& json, const EventActions& actions) {
  json.begin_object("actions");
  write_near_cache(json, actions.near_cache);
  write_action(json, "hot_pool", "copies", actions.hot_pool_copies);
  write_action(json, "split", "shards", actions.split_shards);
  json.boolean("alert", actions.alert);
  json.end_object();
}

void write_figures(JsonWriter& json, const KeyData& data) {
  json.number("count", data.count);
  json.number("rate", data.rate);
  json.number("error", data.error);
  json.fraction("share", data.share);
  json.number("reads", data.reads);
  json.number("writes", data.writes);
  json.number("misses", data.misses);
  json.number("local_hits", data.local_hits);
  json.number("bytes", data.bytes);
  json.number("window_ms", data.window_ms);
  json.number("sample", data.sample);
  json.number("detected_at_ms", data.detected_at_ms);
  json.number("lease_ms", data.lease_ms);
}

// The members of `data`. A demoted key is cold and has no actions, whatever `data` says.
void write_key_data(JsonWriter& json, const Stream& stream, const KeyData& data, bool is_demoted) {
  json.text("ns", stream.ns);
  json.key(data.key);
  write_stream(json, stream, data.seq);
  json.text("scope", data.scope);
  json.text("state", is_demoted ? "cold" : data.state);
  json.text("class", data.key_class);
  json.text("level", data.level);
  data.rule ? json.text("rule", *data.rule) : json.null("rule");
  json.text("reason", data.reason);
  write_figures(json, data);
  write_actions(json, is_demoted ? EventActions{} : data.actions);
}

// The whole event; `write_data` writes the members of `data`.
template <typename WriteData>
std::string encode(const Stream& stream, const Envelope& envelope, std::size_t size, WriteData write_data) {
  std::string out;
  out.reserve(size);
  JsonWriter json(out);
  json.begin_object();
  write_envelope(json, stream, envelope);
  json.begin_object("data");
  write_data(json);
  json.end_object();
  json.end_object();
  return out;
}

}  // namespace

std::string_view to_string(EventType type) {
  switch (type) {
    case EventType::promoted:
      return "hotkey.promoted";
    case EventType::updated:
      return "hotkey.updated";
    case EventType::demoted:
      return "hotkey.demoted";
    case EventType::invalidated:
      return "hotkey.invalidated";
    case EventType::rules_changed:
      return "hotkey.rules_changed";
    case EventType::snapshot:
      return "hotkey.snapshot";
    case EventType::heartbeat:
      return "hotkey.heartbeat";
  }
  return "hotkey.unknown";
}

std::string encode_key_data(const Stream& stream, const KeyData& data) {
  std::string out;
  out.reserve(kKeyDataBytes + data.key.size());
  JsonWriter json(out);
  json.begin_object();
  write_key_data(json, stream, data, false);
  json.end_object();
  return out;
}

std::string encode_key_event(const Stream& stream, EventType type, const KeyData& data, std::int64_t at_ms) {
  const std::string_view key = data.key;
  const Envelope envelope{.type = type, .seq = data.seq, .at_ms = at_ms, .id_tail = "", .key = &key};
  return encode(stream, envelope, 2 * kKeyDataBytes + 3 * key.size(),
                [&](JsonWriter& json) { write_key_data(json, stream, data, type == EventType::demoted); });
}

std::string encode_invalidated(const Stream& stream, std::string_view key, std::uint64_t seq,
                               std::int64_t at_ms) {
  const Envelope envelope{
      .type = EventType::invalidated, .seq = seq, .at_ms = at_ms, .id_tail = "", .key = &key};
  return encode(stream, envelope, kKeyDataBytes + 3 * key.size(), [&](JsonWriter& json) {
    json.text("ns", stream.ns);
    json.key(key);
    write_stream(json, stream, seq);
  });
}

std::string encode_rules_changed(const Stream& stream, std::uint64_t seq, std::int64_t at_ms) {
  const Envelope envelope{
      .type = EventType::rules_changed, .seq = seq, .at_ms = at_ms, .id_tail = "", .key = nullptr};
  return encode(stream, envelope, kKeyDataBytes, [&](JsonWriter& json) {
    json.text("ns", stream.ns);
    write_stream(json, stream, seq);
  });
}

std::string encode_heartbeat(const Stream& stream, std::uint64_t seq, std::size_t hot_keys,
                             std::int64_t lease_ms, std::int64_t at_ms) {
  const std::string tail = "/heartbeat/" + std::to_string(at_ms);
  const Envelope envelope{
      .type = EventType::heartbeat, .seq = seq, .at_ms = at_ms, .id_tail = tail, .key = nullptr};
  return encode(stream, envelope, kKeyDataBytes, [&](JsonWriter& json) {
    json.text("ns", stream.ns);
    write_stream(json, stream, seq);
    json.number("hot_keys", hot_keys);
    json.number("lease_ms", lease_ms);
  });
}

std::string encode_snapshot_part(const Stream& stream, std::uint64_t seq, std::int64_t as_of_ms,
                                 std::int64_t lease_ms, std::size_t part, std::size_t parts,
                                 const std::vector<std::string>& key_data) {
  const std::string tail = "/snapshot/" + std::to_string(as_of_ms) + '/' + std::to_string(part);
  const Envelope envelope{
      .type = EventType::snapshot, .seq = seq, .at_ms = as_of_ms, .id_tail = tail, .key = nullptr};
  const auto add_size = [](std::size_t sum, const std::string& entry) { return sum + entry.size() + 1; };
  const std::size_t size = std::accumulate(key_data.begin(), key_data.end(), 2 * kKeyDataBytes, add_size);
  return encode(stream, envelope, size, [&](JsonWriter& json) {
    json.text("ns", stream.ns);
    write_stream(json, stream, seq);
    json.number("as_of_ms", as_of_ms);
    json.number("lease_ms", lease_ms);
    json.number("part", part);
    json.number("parts", parts);
    json.array("keys", key_data);
  });
}

}  // namespace hotkeyd
