// What a detector leaves to the next process: orders, and the hot set with what its episodes need to go on.
//
// Counts are not in it: a restarted detector counts anew, and lets nothing cool before it has seen a whole
// window. Plain values; the daemon writes them to the state file and reads them back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "detector/decision.h"

namespace hotkeyd {

// The kill switch: of one namespace, or of all.
struct KillSwitch {
  bool is_on = false;
  std::optional<UnixMs> ends_ms;

  void expire(UnixMs now_ms) {
    if (ends_ms && *ends_ms <= now_ms) *this = {};
  }
  bool operator==(const KillSwitch&) const = default;
};

// A pin or a denial.
struct SavedOrder {
  std::string key;
  UnixMs since_ms = 0;
  std::optional<UnixMs> ends_ms;  // Wall time; nullopt: until taken back.
  bool operator==(const SavedOrder&) const = default;
};

struct SavedNamespaceOrders {
  std::string ns;
  KillSwitch disabled;
  std::vector<SavedOrder> pins;
  std::vector<SavedOrder> denials;
  bool operator==(const SavedNamespaceOrders&) const = default;
};

struct SavedOrders {
  KillSwitch all_disabled;
  std::vector<SavedNamespaceOrders> namespaces;  // Those with an order.
  bool operator==(const SavedOrders&) const = default;
};

struct SavedHotKey {
  std::string key;
  bool by_rate = false;  // Hot by its figures, whatever the orders.
  KeyClass key_class = KeyClass::read;
  std::array<bool, 3> levels{};  // Which of hot_pool, split, alert are on.
  bool has_near_cache = false;   // False also where the rule offers one: the size guard holds.
  Reason reason = Reason::rate;  // Of the latest event about the key.
  Reason promoted_by = Reason::rate;
  UnixMs detected_at_ms = 0;
  UnixMs hot_since_ms = 0;      // Since when it is in its state (hot or pinned).
  std::uint64_t rate = 0;       // At the last tick.
  std::uint64_t peak_rate = 0;  // Of the episode.
  bool operator==(const SavedHotKey&) const = default;
};

struct SavedHotSet {
  std::string ns;
  std::vector<SavedHotKey> keys;  // By key bytes.
  bool operator==(const SavedHotSet&) const = default;
};
using SavedHotSets = std::vector<SavedHotSet>;  // Of the namespaces that have a hot key.

// What became of a saved state.
struct Restored {
  std::size_t orders = 0;
  std::size_t orders_ended = 0;    // Their time came meanwhile.
  std::size_t orders_refused = 0;  // Beyond an order limit, or of a namespace that may not be opened.
  std::size_t hot_keys = 0;
  std::size_t hot_keys_dropped = 0;  // No rule now, denied, disabled, beyond hot_keys_max.
  bool operator==(const Restored&) const = default;
};

}  // namespace hotkeyd
