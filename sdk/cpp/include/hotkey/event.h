// What the daemon tells about hot keys (docs/protocol.md, Events). Standard library only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hotkey {

enum class EventType {
  promoted,       // A key became hot.
  updated,        // Class, level or actions of a hot key changed.
  demoted,        // A key is no longer hot.
  invalidated,    // The value of a key changed: drop copies. Hot or not.
  rules_changed,  // Thresholds may have changed.
  snapshot,       // The whole hot set; comes in `parts`.
  interrupted,    // Made by the SDK: connection lost, gap or lease over. Invalidations may have been missed.
};

struct NearCacheAction {
  std::chrono::milliseconds ttl{0};
  std::uint64_t max_value_bytes = 0;
  bool operator==(const NearCacheAction&) const = default;
};

// What may be done about a hot key now.
struct Actions {
  std::optional<NearCacheAction> near_cache = {};
  std::optional<std::uint32_t> hot_pool_copies = {};
  std::optional<std::uint32_t> split_shards = {};
  bool alert = false;
  bool operator==(const Actions&) const = default;
};

// What is known of one key.
struct HotKey {
  std::string key = {};  // Raw bytes.
  bool hot = false;
  std::string scope = {};      // host | fleet
  std::string key_class = {};  // read | write | miss | mixed
  std::string level = {};      // hot | hot_pool | split | alert
  std::string rule = {};       // Empty where none matches (a pin).
  std::string reason = {};
  std::uint64_t count = 0;  // Accesses in the window; rate and error are per second.
  std::uint64_t rate = 0;
  std::uint64_t error = 0;
  double share = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;
  std::uint64_t local_hits = 0;
  std::uint64_t bytes = 0;
  std::chrono::milliseconds window{0};
  std::uint32_t sample = 1;
  std::int64_t detected_at_ms = 0;  // Unix milliseconds.
  Actions actions = {};
  bool operator==(const HotKey&) const = default;
};

struct Event {
  EventType type = EventType::interrupted;
  std::string id = {};  // Unique; empty for `interrupted`.
  std::string ns = {};
  std::string node = {};
  std::uint64_t epoch = 0;
  std::uint64_t seq = 0;
  std::string key = {};                // promoted, updated, demoted, invalidated.
  std::optional<HotKey> hot_key = {};  // promoted, updated, demoted.
  std::vector<HotKey> keys = {};       // snapshot
  std::uint64_t part = 1;              // snapshot: from 1 to `parts`.
  std::uint64_t parts = 1;
};

}  // namespace hotkey
