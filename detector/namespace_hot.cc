#include <algorithm>
#include <cmath>
#include <utility>

#include "detector/namespace.h"

namespace hotkeyd {
namespace {

// A key that was evicted evicts in turn only who is this much cooler.
constexpr double kClearlyCooler = 0.7;

std::uint32_t trigger_at(const std::optional<Way>& way) {
  return way ? static_cast<std::uint32_t>(std::min<std::uint64_t>(way->in, Triggers::kNever))
             : Triggers::kNever;
}

double rate_in(const WindowView& view) {
  return static_cast<double>(view.sums.count) / seconds(view.scale.length);
}

template <typename Coolness>
bool is_hotter(const Coolness& a, const Coolness& b) {
  if (a.rate != b.rate) return a.rate > b.rate;
  return a.record->shown.key > b.record->shown.key;
}

}  // namespace

Triggers Namespace::appeared(Window& window, CandidateId id, std::string_view key) {
  CandidateState& state = window.state(id);
  const Rule* rule = first_match(rules_, key);
  state = {};
  state.rule = rule && rule->window() == window.length() ? rule : nullptr;
  state.since_ms = now_.unix_ms;
  if (const auto hot = hot_.find(key); hot != hot_.end() && hot->second.window == &window) {
    attach(hot->second, window, id);
  } else if (state.rule && state.rule->thresholds().share_floor) {
    window.watch(id);
  }
  return triggers_of(window, id);
}

Triggers Namespace::reached(Window& window, CandidateId id) {
  CandidateState& state = window.state(id);
  if (!state.rule) return {};
  const WindowView view = window.view(id);
  const auto reason = way_in(state.rule->thresholds(), view.sums, view.scale.total);
  if (!reason) state.share_tried = true;
  if (state.hot) {
    if (!state.hot->by_rate) judge_rate(*state.hot, view);
    if (state.hot->raise_levels(view.sums.count)) update(*state.hot, Reason::level);
  } else if (reason) {
    try_promote(window, id, *reason);
  }
  return triggers_of(window, id);
}

Triggers Namespace::triggers_of(Window& window, CandidateId id) {
  const CandidateState& state = window.state(id);
  if (!state.hot) return state.is_waiting ? Triggers{} : ways_in_of(window, state);
  Triggers triggers = state.hot->by_rate ? Triggers{} : ways_in_of(window, state);
  triggers.count = std::min(triggers.count, state.hot->next_level_count());
  return triggers;
}

Triggers Namespace::ways_in_of(Window& window, const CandidateState& state) const {
  if (!state.rule) return {};
  const Thresholds& ways = state.rule->thresholds();
  Triggers triggers{trigger_at(ways.rate), trigger_at(ways.writes), trigger_at(ways.misses)};
  if (!ways.share_floor || state.share_tried) return triggers;
  const double share = std::ceil(ways.share * static_cast<double>(window.last_total()));
  const auto by_share =
      std::max(trigger_at(ways.share_floor), static_cast<std::uint32_t>(std::min(share, 4e9)));
  triggers.count = std::min(triggers.count, by_share);
  return triggers;
}

void Namespace::try_promote(Window& window, CandidateId id, Reason reason) {
  CandidateState& state = window.state(id);
  const std::string_view key = window.counter().key(id);
  const bool is_free = !is_blocked(key);
  if (is_free && make_room(rate_in(window.view(id)), state.was_evicted)) {
    return promote(window, id, key, state.rule, reason);
  }
  if (is_free && !state.is_waiting) ++hot_set_full_;
  state.is_waiting = true;
  window.watch(id);
}

void Namespace::build_coolness() {
  by_coolness_.clear();
  for (auto& [key, record] : hot_) {
    if (!record.is_pinned) by_coolness_.push_back({rate_of(record), &record});
  }
  std::ranges::make_heap(by_coolness_, is_hotter<Coolness>);
  coolness_is_built_ = true;
}

void Namespace::add_coolness(HotRecord& record, double rate) {
  if (!coolness_is_built_) return;
  by_coolness_.push_back({rate, &record});
  std::ranges::push_heap(by_coolness_, is_hotter<Coolness>);
}

HotRecord* Namespace::coolest() {
  if (!coolness_is_built_) build_coolness();
  while (!by_coolness_.empty()) {
    const Coolness known = by_coolness_.front();
    const double rate = rate_of(*known.record);
    if (rate <= known.rate) return known.record;
    std::ranges::pop_heap(by_coolness_, is_hotter<Coolness>);
    by_coolness_.back().rate = rate;
    std::ranges::push_heap(by_coolness_, is_hotter<Coolness>);
  }
  return nullptr;
}

bool Namespace::make_room(double rate, bool was_evicted) {
  if (unpinned_ < options_.hot_keys_max) return true;
  HotRecord* cool = coolest();
  if (!cool || rate_of(*cool) >= rate * (was_evicted ? kClearlyCooler : 1)) return false;
  std::ranges::pop_heap(by_coolness_, is_hotter<Coolness>);
  by_coolness_.pop_back();
  if (cool->candidate) cool->window->state(*cool->candidate).was_evicted = true;
  demote(*cool, Reason::evicted);
  coolness_is_built_ = true;
  return true;
}

void Namespace::promote(Window& window, std::optional<CandidateId> id, std::string_view key, const Rule* rule,
                        Reason reason) {
  HotRecord& record = hot_.try_emplace(std::string(key)).first->second;
  record.rule = rule;
  record.window = &window;
  record.is_pinned = reason == Reason::pinned;
  record.by_rate = !record.is_pinned;
  record.hot_since_ms = now_.unix_ms;
  record.shown.key = key;
  if (rule) record.shown.rule = rule->options().name;
  record.shown.window_ms = to_ms(window.length());
  record.shown.detected_at_ms = now_.unix_ms;
  if (id) attach(record, window, *id);
  const WindowView view = view_of(record);
  if (record.is_pinned) judge_rate(record, view);
  record.start(view.sums);
  start_episode(record, reason);
  if (!record.is_pinned) {
    ++unpinned_;
    add_coolness(record, rate_in(view));
  }
  decide(DecisionKind::promoted, record, reason);
}

void Namespace::start_episode(HotRecord& record, Reason reason) {
  const HotKey& shown = record.shown;
  record.episode =
      episodes_.start({shown.key, shown.rule, shown.key_class, reason, now_.unix_ms, std::nullopt, 0});
}

void Namespace::attach(HotRecord& record, Window& window, CandidateId id) {
  CandidateState& state = window.state(id);
  record.candidate = id;
  state.hot = &record;
  state.is_waiting = false;
  window.unwatch(id);
  window.counter().keep(id, record.by_rate);
}

void Namespace::update(HotRecord& record, Reason reason) { decide(DecisionKind::updated, record, reason); }

void Namespace::demote(HotRecord& record, Reason reason) {
  decide(DecisionKind::demoted, record, reason);
  forget_hot(record);
}

void Namespace::forget_hot(HotRecord& record) {
  if (Episode* episode = episodes_.find(record.episode)) episode->ended_ms = now_.unix_ms;
  if (!record.is_pinned) --unpinned_;
  coolness_is_built_ = false;
  Window& window = *record.window;
  const std::optional<CandidateId> id = record.candidate;
  hot_.erase(hot_.find(record.shown.key));
  if (!id) return;
  CandidateState& state = window.state(*id);
  state.hot = nullptr;
  state.since_ms = now_.unix_ms;
  window.counter().keep(*id, false);
  rearm(window, *id);
}

void Namespace::rearm(Window& window, CandidateId id) {
  CandidateState& state = window.state(id);
  const WindowView view = window.view(id);
  state.is_waiting = state.rule && way_in(state.rule->thresholds(), view.sums, view.scale.total);
  if (!state.is_waiting) state.was_evicted = false;
  if (state.is_waiting || (state.rule && state.rule->thresholds().share_floor)) window.watch(id);
  window.counter().set_triggers(id, triggers_of(window, id));
}

void Namespace::find_candidate(HotRecord& record) {
  if (record.candidate) return;
  Counter& counter = record.window->counter();
  const std::uint64_t hash = hash_(record.shown.key);
  const Slot slot = record.window->slot();
  std::optional<CandidateId> id = counter.find(hash, record.shown.key);
  if (!id && counter.count(hash, slot) > 0) id = counter.ensure(hash, record.shown.key, slot);
  if (id && !record.candidate) attach(record, *record.window, *id);
}

WindowView Namespace::view_of(const HotRecord& record) {
  if (record.candidate) return record.window->view(*record.candidate);
  return record.window->view_without_record(hash_(record.shown.key));
}

// What a key had before a restart counts until its window tells more.
double Namespace::rate_of(const HotRecord& record) {
  const WindowView view = view_of(record);
  return view.is_whole ? rate_in(view) : std::max(rate_in(view), record.rate_before);
}

void Namespace::decide(DecisionKind kind, HotRecord& record, Reason reason) {
  const WindowView view = view_of(record);
  record.shown.reason = reason;
  record.shown.figures = figures_of(view.sums, view.scale);
  record.shown.seq = ++seq_;
  if (Episode* episode = episodes_.find(record.episode)) {
    episode->peak_rate = std::max(episode->peak_rate, record.shown.figures.rate);
    episode->key_class = record.shown.key_class;
    episode->rule = record.shown.rule;
  }
  ++decisions_[static_cast<std::size_t>(kind)];
  Decision& decision = out_->emplace_back(Decision{kind, id_, now_.unix_ms, record.shown});
  if (kind != DecisionKind::demoted) return;
  decision.key.is_hot = false;
  decision.key.actions = {};
}

}  // namespace hotkeyd
