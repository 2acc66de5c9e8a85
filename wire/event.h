// Events: CloudEvents 1.0 as one line of JSON, the same bytes on the RESP port, Redis Pub/Sub and Kafka.
//
// Encoded once per event by hand-ordered appends (golden bytes in tests/wire), decoded by the SDK and
// hotkeyctl. Pure; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hotkeyd {

enum class EventType { promoted, updated, demoted, invalidated, rules_changed, snapshot, heartbeat };
std::string_view to_string(EventType type);  // "hotkey.promoted"

// (node, epoch, ns): where an event comes from.
struct Stream {
  std::string node;
  std::uint64_t epoch = 0;
  std::string ns;
};

struct EventNearCache {
  std::uint64_t ttl_ms = 0;
  std::uint64_t max_value_bytes = 0;
  bool operator==(const EventNearCache&) const = default;
};
struct EventActions {
  std::optional<EventNearCache> near_cache;
  std::optional<std::uint32_t> hot_pool_copies;  // {"copies":4}
  std::optional<std::uint32_t> split_shards;     // {"shards":16}
  bool alert = false;
  bool operator==(const EventActions&) const = default;
};

// The `data` of one key: promoted, updated, demoted, and each entry of a snapshot, LIST and the Redis hash.
struct KeyData {
  std::string key;  // Raw bytes; travels as `key`, or as null and `key_b64` when it is not UTF-8.
  std::uint64_t seq = 0;
  std::string scope = "host";
  std::string state = "hot";  // hot | cold
  std::string key_class = "read";
  std::string level = "hot";
  std::optional<std::string> rule;
  std::string reason;
  std::uint64_t count = 0;
  std::uint64_t rate = 0;
  std::uint64_t error = 0;
  double share = 0;  // Written with at most 4 decimals.
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;
  std::uint64_t local_hits = 0;
  std::uint64_t bytes = 0;
  std::int64_t window_ms = 1000;
  std::uint32_t sample = 1;
  std::int64_t detected_at_ms = 0;
  std::int64_t lease_ms = 10'000;
  EventActions actions;
  bool operator==(const KeyData&) const = default;
};

// Encoders. `at_ms` becomes `time`.
std::string encode_key_data(const Stream& stream, const KeyData& data);
std::string encode_key_event(const Stream& stream, EventType type, const KeyData& data, std::int64_t at_ms);
std::string encode_invalidated(const Stream& stream, std::string_view key, std::uint64_t seq,
                               std::int64_t at_ms);
std::string encode_rules_changed(const Stream& stream, std::uint64_t seq, std::int64_t at_ms);
std::string encode_heartbeat(const Stream& stream, std::uint64_t seq, std::size_t hot_keys,
                             std::int64_t lease_ms, std::int64_t at_ms);
// One part of a snapshot; `key_data` are encode_key_data of its keys.
std::string encode_snapshot_part(const Stream& stream, std::uint64_t seq, std::int64_t as_of_ms,
                                 std::int64_t lease_ms, std::size_t part, std::size_t parts,
                                 const std::vector<std::string>& key_data);
// How to cut: the number of entries of each part such that every encoded part is at most `part_bytes_max`
// (an entry larger than that stands alone). At least one part, of no entries when there are none.
std::vector<std::size_t> cut_snapshot(const Stream& stream, const std::vector<std::string>& key_data,
                                      std::size_t part_bytes_max = 512 * 1024);

// Appends the two JSON members that say a key: "key":"..." or "key":null,"key_b64":"...".
void append_json_key(std::string& out, std::string_view key);

// What a consumer reads.
struct Event {
  EventType type = EventType::heartbeat;
  std::string id;
  Stream stream;
  std::uint64_t seq = 0;        // Heartbeat and snapshot: the last one of the stream.
  std::string key;              // promoted, updated, demoted, invalidated.
  std::optional<KeyData> data;  // promoted, updated, demoted.
  std::vector<KeyData> keys;    // snapshot
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      key_versions;            // snapshot: (epoch, seq) of each of `keys`.
  std::uint64_t part = 1;      // snapshot
  std::uint64_t parts = 1;     // snapshot
  std::uint64_t hot_keys = 0;  // heartbeat
  std::int64_t lease_ms = 0;   // All but invalidated and rules_changed.
};

// Unknown members are ignored, so that a newer daemon may add some; a missing one that is needed is an error.
Result<Event> decode_event(std::string_view json);

}  // namespace hotkeyd
