// One namespace: its windows, its rules, its hot set, its orders, its episodes and its numbers.
//
// Accesses are counted in every window; a candidate matters in the window of its rule. Decisions fall on the
// access that crosses (`reached`), at the ticks (`judge`) and with orders; each makes exactly one event.
// Everything that is visible in an order runs by key bytes, so that same inputs make same decisions.
//
// Pure and single-threaded; every call that is not const first enters the slot of `now`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "detector/detector.h"
#include "detector/episodes.h"
#include "detector/hot_record.h"
#include "detector/orders.h"
#include "detector/rules.h"
#include "detector/saved_state.h"
#include "detector/window.h"

namespace hotkeyd {

// A sum of scaled counts that carries what is below one.
class ScaledTotal {
 public:
  void add(std::uint64_t counted, double factor);
  std::uint64_t whole() const { return whole_; }

 private:
  std::uint64_t whole_ = 0;
  double rest_ = 0;
};

class Namespace {
 public:
  Namespace(NamespaceId id, std::string name, const DetectorOptions& options, RuleList rules, Time start,
            Now now, bool is_disabled);

  const std::string& name() const { return name_; }

  void observe(std::span<const Access> accesses, const BatchInfo& info, Now now, Decisions& out);
  std::uint64_t hit(const Access& access, Now now, Decisions& out);
  void tick(Now now, Decisions& out);
  Time next_edge(Time now) const;

  Result<void> pin(std::string_view key, std::optional<UnixMs> ends_ms, Now now, Decisions& out);
  void unpin(std::string_view key, Now now, Decisions& out);
  Result<void> deny(std::string_view key, std::optional<UnixMs> ends_ms, Now now, Decisions& out);
  void allow(std::string_view key, Now now, Decisions& out);
  // The namespace's own switch, and the one of all namespaces.
  void disable(std::optional<UnixMs> ends_ms, Now now, Decisions& out);
  void enable(Now now, Decisions& out);
  void set_all_disabled(bool is_disabled, Now now, Decisions& out);

  // The rules given before must live until this returns.
  void set_rules(RuleList rules, Now now, Decisions& out);

  // For the next process, and from the one before: right after construction, the orders first. Nothing is
  // decided; pins that are not in the hot set are promoted by the next call that decides.
  SavedNamespaceOrders save_orders() const;
  SavedHotSet save_hot_set() const;
  void restore_orders(const SavedNamespaceOrders& saved, Now now, Restored& count);
  void restore_hot_set(const SavedHotSet& saved, Now now, Restored& count);
  std::uint64_t decisions() const;  // Since construction.

  std::uint64_t last_seq() const { return seq_; }
  std::uint64_t take_seq() { return ++seq_; }

  std::vector<const HotKey*> hot_keys() const;
  std::vector<TopRow> top(std::size_t n);
  std::optional<Explanation> explain(std::string_view key, Now now);
  std::vector<Episode> episodes(std::size_t n) const { return episodes_.newest(n); }
  NamespaceStats stats() const;

  // From the windows, in the middle of a batch or a tick.
  Triggers appeared(Window& window, CandidateId id, std::string_view key);
  Triggers reached(Window& window, CandidateId id);
  void forgotten(HotRecord& record) { record.candidate.reset(); }

 private:
  using Columns = std::array<std::uint64_t, 4>;  // Reads, writes, misses, local hits.
  using HotSet = std::map<std::string, HotRecord, std::less<>>;
  // What is known of a key that somebody asks for.
  struct Sight {
    const HotRecord* hot = nullptr;
    const Rule* rule = nullptr;
    Window* window = nullptr;
    const CandidateState* state = nullptr;
    WindowView view;
  };
  struct Coolness {
    double rate = 0;
    HotRecord* record = nullptr;
  };

  // namespace.cc: the run of a call.
  void enter(Now now, Decisions& out);
  void judge(Window& window);
  void judge_hot(Window& window);
  void judge_hot_key(HotRecord& record);
  void judge_rate(HotRecord& record, const WindowView& view);
  void judge_watched(Window& window);
  void judge_candidate(Window& window, CandidateId id);
  void find_hottest();
  static Columns sums_of(std::span<const Access> batch);
  static Columns saturated_sums(std::span<const Access> batch);

  // namespace_hot.cc: the hot set.
  Triggers triggers_of(Window& window, CandidateId id);
  Triggers ways_in_of(Window& window, const CandidateState& state) const;
  bool is_blocked(std::string_view key) const { return is_disabled() || denials_.contains(key); }
  bool make_room(double rate, bool was_evicted);
  HotRecord* coolest();
  void build_coolness();
  void add_coolness(HotRecord& record, double rate);
  void promote(Window& window, std::optional<CandidateId> id, std::string_view key, const Rule* rule,
               Reason reason);
  void start_episode(HotRecord& record, Reason reason);
  void try_promote(Window& window, CandidateId id, Reason reason);
  void update(HotRecord& record, Reason reason);
  void demote(HotRecord& record, Reason reason);
  void forget_hot(HotRecord& record);
  void decide(DecisionKind kind, HotRecord& record, Reason reason);
  void find_candidate(HotRecord& record);
  WindowView view_of(const HotRecord& record);
  double rate_of(const HotRecord& record);
  void attach(HotRecord& record, Window& window, CandidateId id);
  void rearm(Window& window, CandidateId id);

  // namespace_orders.cc
  bool is_disabled() const { return own_switch_.is_on || all_disabled_; }
  void end_orders();
  void apply_orders(std::string_view key);
  void apply_switch();
  void promote_pinned(std::string_view key);
  void begin_pin(HotRecord& record);
  void end_pin(HotRecord& record);

  // namespace_saved.cc
  bool resume(const SavedHotKey& saved);
  void resume_episode(const SavedHotKey& saved);

  // namespace_rules.cc
  Window& window_of(const Rule* rule);
  std::vector<Duration> window_lengths() const;
  CounterOptions counter_options(Duration length, std::size_t windows) const;
  std::vector<std::unique_ptr<Window>> build_windows(std::vector<std::unique_ptr<Window>>& kept);
  void match_anew(Window& window);
  void match_hot_anew(HotRecord& record);
  void move_hot(HotRecord& record, Window& target);

  // namespace_read.cc
  Standing standing_of(std::string_view key) const;
  UnixMs since_of(std::string_view key, Standing standing, UnixMs warm_since_ms) const;
  Sight look_up(std::string_view key);

  NamespaceId id_;
  std::string name_;
  DetectorOptions options_;  // Without the rules.
  KeyHash hash_;
  Time start_;
  RuleList rules_;
  std::vector<std::unique_ptr<Window>> windows_;  // The base window first.

  HotSet hot_;
  std::size_t unpinned_ = 0;           // Hot keys that count against hot_keys_max.
  std::vector<Coolness> by_coolness_;  // A heap, coolest first; built when first needed after a tick.
  bool coolness_is_built_ = false;
  OrderBook pins_;
  OrderBook denials_;
  KillSwitch own_switch_;
  bool all_disabled_ = false;
  bool pins_wait_ = false;  // Restored, and not yet applied.
  EpisodeLog episodes_;
  std::uint64_t seq_ = 0;

  Now now_;                   // Of the running call.
  Decisions* out_ = nullptr;  // Of the running call.

  std::array<ScaledTotal, 4> totals_{};  // As in Columns.
  std::array<std::uint64_t, 3> decisions_{};
  std::uint64_t hottest_rate_ = 0;
  std::uint64_t hot_set_full_ = 0;
};

}  // namespace hotkeyd
