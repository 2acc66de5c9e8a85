#include "detector/hot_record.h"

#include <algorithm>

namespace hotkeyd {
namespace {

std::uint32_t trigger_at(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, Triggers::kNever));
}

}  // namespace

Duration HotRecord::after() const { return rule ? rule->options().demote.after : DemoteOptions{}.after; }

void HotRecord::start(const WindowSums& sums) {
  const KeyClass key_class = class_of(sums, rule);
  set_class(key_class, near_cache_of(key_class, sums, rule));
  raise_levels(sums.count);
  show_levels();
}

void HotRecord::resume(const SavedHotKey& saved, UnixMs now_ms) {
  shown.key = saved.key;
  if (rule) shown.rule = rule->options().name;
  shown.reason = saved.reason;
  shown.detected_at_ms = std::min(saved.detected_at_ms, now_ms);
  hot_since_ms = std::min(saved.hot_since_ms, now_ms);
  rate_before = static_cast<double>(saved.rate);
  level_on = saved.levels;
  const auto offered = near_cache_of(saved.key_class, {}, rule);
  set_class(saved.key_class, saved.has_near_cache ? offered : std::nullopt);
  show_levels();
}

SavedHotKey HotRecord::save(Reason promoted_by, std::uint64_t peak_rate) const {
  return {shown.key,    by_rate,     shown.key_class,      level_on,     shown.actions.near_cache.has_value(),
          shown.reason, promoted_by, shown.detected_at_ms, hot_since_ms, shown.figures.rate,
          peak_rate};
}

void HotRecord::follow(const Rule* other, const WindowSums& sums) {
  rule = other;
  set_class(shown.key_class, near_cache_of(shown.key_class, sums, rule));
  show_levels();
  raise_levels(sums.count);
}

void HotRecord::set_class(KeyClass key_class, std::optional<NearCacheOptions> near_cache) {
  shown.key_class = key_class;
  shown.actions.near_cache = near_cache;
  other_class.reset();
}

void HotRecord::show_levels() {
  for (std::size_t i = 0; i < kLevels.size(); ++i)
    level_on[i] = level_on[i] && rule && rule->thresholds().levels[i];
  shown.actions.hot_pool_copies.reset();
  shown.actions.split_shards.reset();
  if (level_on[0]) shown.actions.hot_pool_copies = rule->options().hot_pool->copies;
  if (level_on[1]) shown.actions.split_shards = rule->options().split->shards;
  shown.actions.alert = level_on[2];
  shown.level = Level::hot;
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (level_on[i]) shown.level = kLevels[i];
  }
}

bool HotRecord::raise_levels(std::uint64_t count) {
  bool raised = false;
  for (std::size_t i = 0; rule && i < kLevels.size(); ++i) {
    const auto& way = rule->thresholds().levels[i];
    if (level_on[i] || !way || count < way->in) continue;
    level_on[i] = true;
    level_cold[i].reset();
    raised = true;
  }
  if (raised) show_levels();
  return raised;
}

std::uint32_t HotRecord::next_level_count() const {
  std::uint32_t next = Triggers::kNever;
  for (std::size_t i = 0; rule && i < kLevels.size(); ++i) {
    const auto& way = rule->thresholds().levels[i];
    if (way && !level_on[i]) next = std::min(next, trigger_at(way->in));
  }
  return next;
}

bool HotRecord::cools(const WindowView& view) {
  const bool is_below = rule && is_below_all(rule->thresholds(), view.sums, view.scale.total);
  return cold.update(is_below && view.is_whole, view.edge, after());
}

bool HotRecord::judge_levels(const WindowView& view) {
  bool changed = raise_levels(view.sums.count);
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (!level_on[i]) continue;
    const bool is_below = static_cast<double>(view.sums.count) < rule->thresholds().levels[i]->out;
    if (!level_cold[i].update(is_below && view.is_whole, view.edge, after())) continue;
    level_on[i] = false;
    changed = true;
  }
  if (changed) show_levels();
  return changed;
}

bool HotRecord::judge_class(const WindowView& view) {
  const bool is_judged =
      rule ? !is_below_all(rule->thresholds(), view.sums, view.scale.total) : view.sums.count > 0;
  const KeyClass key_class = class_of(view.sums, rule);
  const auto near_cache = near_cache_of(key_class, view.sums, rule);
  const bool differs = key_class != shown.key_class || near_cache != shown.actions.near_cache;
  if (!is_judged || !differs) {
    other_class.reset();
    return false;
  }
  const bool takes_away = shown.actions.near_cache && !near_cache;
  if (key_class != next_class || near_cache.has_value() != next_near_cache) other_class.reset();
  next_class = key_class;
  next_near_cache = near_cache.has_value();
  if (!other_class.update(true, view.edge, after()) && !takes_away) return false;
  set_class(key_class, near_cache);
  return true;
}

void HotRecord::reset_holds() {
  cold.reset();
  for (Hold& hold : level_cold) hold.reset();
  other_class.reset();
}

}  // namespace hotkeyd
