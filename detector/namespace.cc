#include "detector/namespace.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "detector/access_math.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kBatch = 512;
constexpr std::uint64_t kColumnMax = UINT32_MAX;

}  // namespace

void ScaledTotal::add(std::uint64_t counted, double factor) {
  if (factor == 1) {
    whole_ += counted;
    return;
  }
  double whole = 0;
  rest_ = std::modf(static_cast<double>(counted) * factor + rest_, &whole);
  whole_ += static_cast<std::uint64_t>(whole);
}

Namespace::Namespace(NamespaceId id, std::string name, const DetectorOptions& options, RuleList rules,
                     Time start, Now now, bool is_disabled)
    : id_(id),
      name_(std::move(name)),
      options_(options),
      hash_(options.seed),
      start_(start),
      rules_(std::move(rules)),
      pins_(options.hot_keys_max),
      denials_(options.hot_keys_max),
      all_disabled_(is_disabled),
      episodes_(options.names_max),
      now_(now) {
  options_.rules.clear();
  std::vector<std::unique_ptr<Window>> none;
  windows_ = build_windows(none);
}

void Namespace::enter(Now now, Decisions& out) {
  now_ = now;
  out_ = &out;
  end_orders();
  for (const auto& window : windows_) {
    if (window->advance(now.steady)) judge(*window);
  }
}

Namespace::Columns Namespace::sums_of(std::span<const Access> batch) {
  Columns sums{};
  std::uint64_t any = 0;
  for (const Access& access : batch) {
    any |= access.reads | access.writes;
    sums[0] += access.reads;
    sums[1] += access.writes;
    sums[2] += access.misses;
    sums[3] += access.local_hits;
  }
  return any > kColumnMax ? saturated_sums(batch) : sums;  // Misses and local hits are inside reads.
}

Namespace::Columns Namespace::saturated_sums(std::span<const Access> batch) {
  Columns sums{};
  for (const Access& access : batch) {
    sums[0] += std::min(access.reads, kColumnMax);
    sums[1] += std::min(access.writes, kColumnMax);
    sums[2] += std::min(access.misses, kColumnMax);
    sums[3] += std::min(access.local_hits, kColumnMax);
  }
  return sums;
}

void Namespace::observe(std::span<const Access> accesses, const BatchInfo& info, Now now, Decisions& out) {
  enter(now, out);
  for (const auto& window : windows_) window->add_lost(info.lost);
  std::array<std::uint64_t, kBatch> hashes;
  while (!accesses.empty()) {
    const auto batch = accesses.first(std::min(kBatch, accesses.size()));
    hash_keys(hash_, batch, std::span(hashes).first(batch.size()));
    const Columns sums = sums_of(batch);
    for (std::size_t i = 0; i < sums.size(); ++i) totals_[i].add(sums[i], info.factor);
    for (const auto& window : windows_) {
      window->observe(batch, std::span(hashes).first(batch.size()), info.age, info.factor);
    }
    accesses = accesses.subspan(batch.size());
  }
}

std::uint64_t Namespace::hit(const Access& access, Now now, Decisions& out) {
  observe({&access, 1}, {}, now, out);
  Window& base = *windows_.front();
  return base.counter().count(hash_(access.key), base.slot());
}

void Namespace::tick(Now now, Decisions& out) { enter(now, out); }

Time Namespace::next_edge(Time now) const {
  Time next = Time::max();
  for (const auto& window : windows_) next = std::min(next, window->next_edge(now));
  return next;
}

void Namespace::judge(Window& window) {
  coolness_is_built_ = false;
  judge_hot(window);
  judge_watched(window);
  if (&window == windows_.front().get()) find_hottest();
}

void Namespace::judge_hot(Window& window) {
  for (auto next = hot_.begin(); next != hot_.end();) {
    HotRecord& record = (next++)->second;
    if (record.window == &window) judge_hot_key(record);
  }
}

void Namespace::judge_hot_key(HotRecord& record) {
  find_candidate(record);  // A pinned key gets a record as soon as there is something to record.
  const WindowView view = view_of(record);
  record.shown.figures = figures_of(view.sums, view.scale);
  if (Episode* episode = episodes_.find(record.episode)) {
    episode->peak_rate = std::max(episode->peak_rate, record.shown.figures.rate);
  }
  judge_rate(record, view);
  if (!record.by_rate && !record.is_pinned) return demote(record, Reason::cooled);
  const bool level_changed = record.judge_levels(view);
  const bool class_changed = record.judge_class(view);
  if (level_changed || class_changed) update(record, level_changed ? Reason::level : Reason::key_class);
  if (!record.candidate) return;
  record.window->state(*record.candidate).share_tried = false;
  record.window->counter().set_triggers(*record.candidate, triggers_of(*record.window, *record.candidate));
}

void Namespace::judge_rate(HotRecord& record, const WindowView& view) {
  if (!record.rule) return;
  if (record.by_rate) {
    record.by_rate = !record.cools(view);
  } else {
    record.by_rate = way_in(record.rule->thresholds(), view.sums, view.scale.total).has_value();
    record.cold.reset();
  }
  if (record.candidate) record.window->counter().keep(*record.candidate, record.by_rate);
}

void Namespace::judge_watched(Window& window) {
  const std::vector<CandidateId> watched = window.watched();
  for (const CandidateId id : watched) judge_candidate(window, id);
}

void Namespace::judge_candidate(Window& window, CandidateId id) {
  CandidateState& state = window.state(id);
  if (state.hot || !state.rule) return window.unwatch(id);
  state.share_tried = false;
  const WindowView view = window.view(id);
  if (const auto reason = way_in(state.rule->thresholds(), view.sums, view.scale.total)) {
    try_promote(window, id, *reason);
  } else {
    state.is_waiting = false;
    state.was_evicted = false;
    if (!state.rule->thresholds().share_floor) window.unwatch(id);
  }
  window.counter().set_triggers(id, triggers_of(window, id));
}

void Namespace::find_hottest() {
  Window& base = *windows_.front();
  const auto hottest = base.counter().top(1, base.slot());
  hottest_rate_ = hottest.empty() ? 0 : figures_of(base.view(hottest.front()).sums, base.scale()).rate;
  for (const auto& [key, record] : hot_) hottest_rate_ = std::max(hottest_rate_, record.shown.figures.rate);
}

}  // namespace hotkeyd
