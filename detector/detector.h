// The detector: accesses in, decisions out.
//
// For each namespace it counts accesses in sliding windows (`counter.h`), matches candidates to rules once,
// and decides who is hot: promotion on the crossing access, levels and classes, hysteresis, orders, the kill
// switch, episodes. docs/detector.md has the semantics and the numbers.
//
// Pure and single-threaded (data thread): virtual time, a seed, no I/O, no locks. Same inputs, same
// decisions. Decisions are appended to the vector given, numbered gaplessly from 1 per namespace.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "detector/access.h"
#include "detector/decision.h"
#include "detector/options.h"
#include "detector/saved_state.h"

namespace hotkeyd {

using Decisions = std::vector<Decision>;

struct TopRow {
  std::string_view key;  // Valid until the next call that is not const.
  std::uint64_t rate = 0;
  std::uint64_t error = 0;
  KeyClass key_class = KeyClass::read;
  Standing standing = Standing::warm;
};

// Everything known of one key (HOTKEY GET).
struct Explanation {
  std::string key;
  KeyFigures figures;
  KeyClass key_class = KeyClass::read;
  Standing standing = Standing::warm;
  std::optional<std::string> rule;
  UnixMs since_ms = 0;  // Since when `standing` holds.
  bool pinned = false;
  bool denied = false;
  std::string why;  // One English sentence; holds no key.
};

struct Episode {
  std::string key;
  std::optional<std::string> rule;
  KeyClass key_class = KeyClass::read;
  Reason reason = Reason::rate;
  UnixMs started_ms = 0;
  std::optional<UnixMs> ended_ms;  // nullopt while hot.
  std::uint64_t peak_rate = 0;
};

// A rule with its effective values, as HOTKEY RULES shows them.
struct EffectiveRule {
  RuleOptions options;              // window and demote filled in.
  std::uint64_t threshold_min = 0;  // The smallest T of its ways in.
};
struct RulesView {
  std::vector<EffectiveRule> rules;  // Those that can apply to the namespace, in file order.
  std::uint64_t smallest_threshold = 0;
};

struct NamespaceStats {
  std::uint64_t reads = 0;  // Counted (scaled) since the start.
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;
  std::uint64_t local_hits = 0;
  std::size_t tracked_keys = 0;
  std::size_t memory_bytes = 0;
  std::map<KeyClass, std::size_t> hot_keys;
  std::uint64_t hottest_rate = 0;
  std::size_t alerting_keys = 0;
  std::map<DecisionKind, std::uint64_t> decisions;
  std::uint64_t candidates_evicted = 0;
  std::uint64_t names_evicted = 0;
  std::uint64_t candidates_refused = 0;
  std::uint64_t hot_set_full = 0;  // Promotions refused because a hotter hot set was full.
};

class Detector {
 public:
  // `start` dates slot 0.
  Detector(const DetectorOptions& options, Now start);
  ~Detector();
  Detector(const Detector&) = delete;
  Detector& operator=(const Detector&) = delete;

  // Namespaces. `open` creates on first use; errors: bad name, "namespace limit (16) reached",
  // "namespace \"x\" is not in the configuration".
  Result<NamespaceId> open(std::string_view ns);
  std::optional<NamespaceId> find(std::string_view ns) const;
  std::size_t namespaces() const;
  std::string_view name(NamespaceId ns) const;

  // Counts a batch. Keys are 1 to 65,536 bytes (the caller skips others).
  void observe(NamespaceId ns, std::span<const Access> accesses, const BatchInfo& info, Now now,
               Decisions& out);
  // Counts one access and answers the key's count in the base window now (0 while not tracked).
  std::uint64_t hit(NamespaceId ns, const Access& access, Now now, Decisions& out);

  // To be called once per slot (more often or later is harmless): rotation, cooling, shares, ends of orders.
  void tick(Now now, Decisions& out);
  // How long until the next slot begins.
  Duration until_tick(Time now) const;

  // Orders. `ends_ms` is absolute (Unix); nullopt: until taken back. Errors: "order limit (10000) reached
  // ...", and 4 MiB of keys. Effects are decided at once.
  Result<void> pin(NamespaceId ns, std::string_view key, std::optional<UnixMs> ends_ms, Now now,
                   Decisions& out);
  void unpin(NamespaceId ns, std::string_view key, Now now, Decisions& out);
  Result<void> deny(NamespaceId ns, std::string_view key, std::optional<UnixMs> ends_ms, Now now,
                    Decisions& out);
  void allow(NamespaceId ns, std::string_view key, Now now, Decisions& out);
  void disable(NamespaceId ns, std::optional<UnixMs> ends_ms, Now now, Decisions& out);
  void disable_all(std::optional<UnixMs> ends_ms, Now now, Decisions& out);
  void enable(NamespaceId ns, Now now, Decisions& out);  // Lifts DISABLE ns.
  void enable_all(Now now, Decisions& out);              // Lifts every DISABLE.

  // New rules; counts and hot keys of windows that stay are kept, every hot key is matched anew.
  void set_rules(const std::vector<RuleOptions>& rules, Now now, Decisions& out);

  // What the next process needs (state file), and what the one before left: to be restored once, before
  // anything else. Nothing is decided by it, so hot keys go on without an event, with seq 0; pins that are
  // not in the hot set are promoted at the next tick. Nothing cools before a whole window was seen.
  SavedOrders save_orders() const;
  SavedHotSets save_hot_sets() const;
  Restored restore(const SavedOrders& orders, const SavedHotSets& hot, Now now);
  // Decisions so far, over all namespaces: the hot set has changed when it has.
  std::uint64_t decisions() const;

  // The number of the last decision or `take_seq` of the namespace; 0 before the first.
  std::uint64_t last_seq(NamespaceId ns) const;
  // Takes the next number, for events that are no decisions (invalidated, rules_changed).
  std::uint64_t take_seq(NamespaceId ns);

  // Reading. Hot keys are in no particular order; pointers are valid until the next call that is not const.
  std::vector<const HotKey*> hot_keys(NamespaceId ns) const;
  std::vector<TopRow> top(NamespaceId ns, std::size_t n, Now now);
  std::optional<Explanation> explain(NamespaceId ns, std::string_view key, Now now);
  std::vector<Episode> episodes(NamespaceId ns, std::size_t n) const;  // Newest first, at most 1000 kept.
  RulesView rules(std::string_view ns) const;                          // Also for a namespace not yet used.
  NamespaceStats stats(NamespaceId ns) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hotkeyd
