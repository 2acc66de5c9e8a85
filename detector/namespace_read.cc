#include <algorithm>
#include <utility>

#include "detector/explain.h"
#include "detector/namespace.h"

namespace hotkeyd {

std::vector<const HotKey*> Namespace::hot_keys() const {
  std::vector<const HotKey*> keys;
  keys.reserve(hot_.size());
  for (const auto& [key, record] : hot_) keys.push_back(&record.shown);
  return keys;
}

Standing Namespace::standing_of(std::string_view key) const {
  if (denials_.contains(key)) return Standing::denied;
  if (pins_.contains(key)) return Standing::pinned;
  return hot_.contains(key) ? Standing::hot : Standing::warm;
}

UnixMs Namespace::since_of(std::string_view key, Standing standing, UnixMs warm_since_ms) const {
  if (standing == Standing::denied) return denials_.find(key)->since_ms;
  if (standing == Standing::pinned) return pins_.find(key)->since_ms;
  return standing == Standing::hot ? hot_.find(key)->second.hot_since_ms : warm_since_ms;
}

std::vector<TopRow> Namespace::top(std::size_t n) {
  Window& base = *windows_.front();
  std::vector<TopRow> rows;
  for (const CandidateId id : base.counter().top(n, base.slot())) {
    const WindowView view = base.view(id);
    if (view.sums.count == 0) continue;
    const std::string_view key = base.counter().key(id);
    const KeyFigures figures = figures_of(view.sums, view.scale);
    const auto hot = hot_.find(key);
    const KeyClass key_class =
        hot != hot_.end() ? hot->second.shown.key_class : class_of(view.sums, base.state(id).rule);
    rows.push_back({key, figures.rate, figures.error, key_class, standing_of(key)});
  }
  return rows;
}

// A key's window is its rule's; without a record there, the base window still knows its count.
Namespace::Sight Namespace::look_up(std::string_view key) {
  const std::uint64_t hash = hash_(key);
  const auto hot = hot_.find(key);
  Sight sight;
  sight.hot = hot == hot_.end() ? nullptr : &hot->second;
  sight.rule = sight.hot ? sight.hot->rule : first_match(rules_, key);
  sight.window = sight.hot ? sight.hot->window : &window_of(sight.rule);
  auto id = sight.window->counter().find(hash, key);
  Window& base = *windows_.front();
  if (!id && !sight.hot && sight.window != &base) {
    sight.window = &base;
    id = base.counter().find(hash, key);
  }
  sight.view = id ? sight.window->view(*id) : sight.window->view_without_record(hash);
  if (id) sight.state = &sight.window->state(*id);
  return sight;
}

std::optional<Explanation> Namespace::explain(std::string_view key, Now now) {
  const Sight sight = look_up(key);
  const Order* pin = pins_.find(key);
  const Order* denial = denials_.find(key);
  if (!pin && !denial && !sight.hot && sight.view.sums.count == 0) return std::nullopt;
  Explanation told;
  told.key = key;
  told.standing = standing_of(key);
  told.figures = sight.hot ? sight.hot->shown.figures : figures_of(sight.view.sums, sight.view.scale);
  told.key_class = sight.hot ? sight.hot->shown.key_class : class_of(sight.view.sums, sight.rule);
  if (sight.rule) told.rule = sight.rule->options().name;
  told.since_ms = since_of(key, told.standing, sight.state ? sight.state->since_ms : now.unix_ms);
  told.pinned = pin != nullptr;
  told.denied = denial != nullptr;
  const bool is_waiting = sight.state && sight.state->is_waiting;
  const bool is_full = unpinned_ >= options_.hot_keys_max;
  told.why =
      hotkeyd::explain({pin, denial, is_disabled(), sight.hot, sight.rule, is_waiting, is_full, sight.view});
  return told;
}

NamespaceStats Namespace::stats() const {
  NamespaceStats stats;
  stats.reads = totals_[0].whole();
  stats.writes = totals_[1].whole();
  stats.misses = totals_[2].whole();
  stats.local_hits = totals_[3].whole();
  stats.tracked_keys = windows_.front()->counter().stats().tracked;
  for (const auto& window : windows_) {
    const CounterStats counted = window->counter().stats();
    stats.memory_bytes += window->memory_bytes();
    stats.candidates_evicted += counted.candidates_evicted;
    stats.names_evicted += counted.names_evicted;
    stats.candidates_refused += counted.refused;
  }
  for (const auto& [key, record] : hot_) {
    ++stats.hot_keys[record.shown.key_class];
    if (record.shown.actions.alert) ++stats.alerting_keys;
  }
  for (std::size_t i = 0; i < decisions_.size(); ++i)
    stats.decisions[static_cast<DecisionKind>(i)] = decisions_[i];
  stats.hottest_rate = hottest_rate_;
  stats.hot_set_full = hot_set_full_;
  return stats;
}

}  // namespace hotkeyd
