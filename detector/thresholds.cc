#include "detector/thresholds.h"

#include <algorithm>
#include <cmath>

namespace hotkeyd {
namespace {

// Rates per minute arrive as inexact doubles: 1000000/min over 60 s must give 1000000, not one more.
constexpr double kRounding = 1e-12;
constexpr double kCountMax = 1e18;
constexpr double kShareOut = 0.7;

std::optional<Way> way(const std::optional<double>& rate, Duration window) {
  if (!rate) return std::nullopt;
  const std::uint64_t in = threshold(*rate, window);
  return Way{in, way_out(in)};
}

template <typename Action>
std::optional<Way> level_way(const std::optional<Action>& action, Duration window) {
  if (!action) return std::nullopt;
  return way(action->at, window);
}

}  // namespace

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::uint64_t threshold(double rate, Duration window) {
  const double count = std::ceil(rate * seconds(window) * (1 - kRounding));
  return static_cast<std::uint64_t>(std::clamp(count, 1.0, kCountMax));
}

double way_out(std::uint64_t threshold) {
  const auto in = static_cast<double>(threshold);
  return std::max(1.0, std::min(0.7 * in, in - 4 * std::sqrt(in)));
}

std::uint64_t Thresholds::smallest() const {
  std::uint64_t found = 0;
  for (const auto* way : {&rate, &writes, &misses, &share_floor}) {
    if (*way && (found == 0 || (*way)->in < found)) found = (*way)->in;
  }
  return found;
}

Thresholds thresholds_of(const RuleOptions& rule, Duration window) {
  const PromoteOptions& promote = rule.promote;
  Thresholds result;
  result.rate = way(promote.rate, window);
  if (result.rate && rule.demote.rate) result.rate->out = *rule.demote.rate * seconds(window);
  result.writes = way(promote.writes ? promote.writes : promote.rate, window);
  result.misses = way(promote.misses, window);
  if (promote.share) {
    result.share_floor = way(promote.share_floor, window);
    result.share = *promote.share;
  }
  result.levels = {level_way(rule.hot_pool, window), level_way(rule.split, window),
                   level_way(rule.alert, window)};
  return result;
}

std::optional<Reason> way_in(const Thresholds& thresholds, const WindowSums& sums, std::uint64_t total) {
  const auto reaches = [](const std::optional<Way>& way, std::uint64_t figure) {
    return way && figure >= way->in;
  };
  if (reaches(thresholds.rate, sums.count)) return Reason::rate;
  if (reaches(thresholds.writes, sums.writes_seen)) return Reason::writes;
  if (reaches(thresholds.misses, sums.misses_seen)) return Reason::misses;
  const double share_in = thresholds.share * static_cast<double>(total);
  if (reaches(thresholds.share_floor, sums.count) && static_cast<double>(sums.count) >= share_in)
    return Reason::share;
  return std::nullopt;
}

double share_out(const Thresholds& thresholds) { return kShareOut * thresholds.share; }

bool is_below_all(const Thresholds& thresholds, const WindowSums& sums, std::uint64_t total) {
  const auto holds = [](const std::optional<Way>& way, std::uint64_t figure) {
    return way && static_cast<double>(figure) >= way->out;
  };
  if (holds(thresholds.rate, sums.count)) return false;
  if (holds(thresholds.writes, sums.writes_seen)) return false;
  if (holds(thresholds.misses, sums.misses_seen)) return false;
  return !holds(thresholds.share_floor, sums.count) ||
         static_cast<double>(sums.count) < share_out(thresholds) * static_cast<double>(total);
}

}  // namespace hotkeyd
