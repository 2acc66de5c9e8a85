// What the detector decided, as a value: edges turn it into events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "detector/options.h"

namespace hotkeyd {

using NamespaceId = std::uint32_t;  // Index, in the order in which namespaces appeared.

enum class DecisionKind { promoted, updated, demoted };
enum class Reason {
  rate,
  writes,
  misses,
  share,
  pinned,  // promoted (pinned: also updated)
  level,
  key_class,
  rule_changed,
  unpinned,
  hot_pool,  // updated (unpinned: also demoted)
  cooled,
  denied,
  rule_removed,
  evicted,
  disabled,  // demoted
};
enum class KeyClass { read, miss, mixed, write };
enum class Level { hot, hot_pool, split, alert };
enum class Standing { cold, warm, hot, pinned, denied };  // `state` of TOP and GET.

std::string_view to_string(DecisionKind kind);  // "promoted"
std::string_view to_string(Reason reason);      // "class" for key_class
std::string_view to_string(KeyClass key_class);
std::string_view to_string(Level level);
std::string_view to_string(Standing standing);

// What applies to a hot key now, in full.
struct Actions {
  std::optional<NearCacheOptions> near_cache;
  std::optional<std::uint32_t> hot_pool_copies;
  std::optional<std::uint32_t> split_shards;
  bool alert = false;
  bool operator==(const Actions&) const = default;
};

// Figures of one key in its rule's window. count = reads + writes always.
struct KeyFigures {
  std::uint64_t count = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;
  std::uint64_t local_hits = 0;
  std::uint64_t bytes = 0;
  std::uint64_t rate = 0;    // count / window per second, rounded.
  std::uint64_t error = 0;   // The true rate is within rate +- error.
  double share = 0;          // Of the namespace's accesses in the same window, 0 to 1.
  std::uint32_t sample = 1;  // Ceiling of the largest factor in the window.
  bool operator==(const KeyFigures&) const = default;
};

// Everything the `data` of an event says of a key, but node, epoch and lease.
struct HotKey {
  std::string key;
  bool is_hot = true;  // False in a demotion; then actions are empty.
  KeyClass key_class = KeyClass::read;
  Level level = Level::hot;
  std::optional<std::string> rule;  // Name; nullopt where none matches (a pin).
  Reason reason = Reason::rate;     // Of the latest event about the key.
  KeyFigures figures;               // In a decision: now. In the hot set: as of the last tick.
  std::int64_t window_ms = 1000;
  UnixMs detected_at_ms = 0;  // Start of the episode.
  Actions actions;
  std::uint64_t seq = 0;  // Of the latest event about the key; 0: restored from the state file.
};

struct Decision {
  DecisionKind kind = DecisionKind::promoted;
  NamespaceId ns = 0;
  UnixMs at_ms = 0;
  HotKey key;  // key.seq is the decision's own number: 1, 2, 3, ... per namespace.
};

}  // namespace hotkeyd
