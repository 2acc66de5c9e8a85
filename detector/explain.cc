#include "detector/explain.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace hotkeyd {
namespace {

std::string span_of(Duration duration) {
  const std::int64_t ms = to_ms(duration);
  return ms % 1000 == 0 ? fmt::format("{} s", ms / 1000) : fmt::format("{} ms", ms);
}

// "1 access", "2 accesses".
template <typename Count>
std::string counted(Count count, std::string_view one, std::string_view more_letters) {
  return fmt::format("{:.10g} {}{}", static_cast<double>(count), one,
                     count == Count{1} ? std::string_view() : more_letters);
}

std::string accesses(const Circumstances& at) {
  return fmt::format("{} in the last {}", counted(at.view.sums.count, "access", "es"),
                     span_of(at.view.scale.length));
}

std::string end_of(const Order& order) {
  return order.ends_ms ? fmt::format("until {}", rfc3339(*order.ends_ms)) : "until taken back";
}

std::string quoted(const Rule& rule) { return fmt::format("rule \"{}\"", redis_escape(rule.options().name)); }

// Whether writes have a way of their own, and not that of all accesses.
bool asks_for_writes(const Thresholds& ways) {
  return ways.writes &&
         (!ways.rate || ways.writes->in != ways.rate->in || ways.writes->out != ways.rate->out);
}

// The accesses, and what else the rule looks at.
std::string figures(const Circumstances& at) {
  const Thresholds& ways = at.rule->thresholds();
  std::string others;
  const auto add = [&others](const std::string& what) { others += (others.empty() ? " (" : ", ") + what; };
  if (asks_for_writes(ways)) add(counted(at.view.sums.writes_seen, "write", "s"));
  if (ways.misses) add(counted(at.view.sums.misses_seen, "miss", "es"));
  if (ways.share_floor && at.view.scale.total > 0) add(fmt::format("{} of all keys", at.view.scale.total));
  return fmt::format("{}{}{} in the last {}", counted(at.view.sums.count, "access", "es"), others,
                     others.empty() ? "" : ")", span_of(at.view.scale.length));
}

// "100 accesses or 10 writes": the ways of a rule as counts of its window.
std::string ways(const Thresholds& all, std::string_view between, double (*count_of)(const Way&)) {
  std::string text;
  const auto add = [&](const std::optional<Way>& way, std::string_view one, std::string_view more_letters) {
    if (way) text.append(text.empty() ? "" : between).append(counted(count_of(*way), one, more_letters));
  };
  add(all.rate, "access", "es");
  if (asks_for_writes(all)) add(all.writes, "write", "s");
  add(all.misses, "miss", "es");
  return text;
}

std::string joined(std::string text, std::string_view between, const std::string& more) {
  return text.empty() ? more : text.append(between).append(more);
}

std::string ways_in(const Rule& rule) {
  const Thresholds& all = rule.thresholds();
  std::string text = ways(all, " or ", [](const Way& way) { return static_cast<double>(way.in); });
  if (!all.share_floor) return text;
  return joined(std::move(text), " or ",
                fmt::format("{:.4g} % of all accesses from {} on", 100 * all.share, all.share_floor->in));
}

std::string ways_out(const Rule& rule) {
  const Thresholds& all = rule.thresholds();
  std::string text = ways(all, " and ", [](const Way& way) { return std::ceil(way.out); });
  if (!all.share_floor) return text;
  return joined(
      std::move(text), " and ",
      fmt::format("{:.4g} % of all accesses or {}", 100 * share_out(all), std::ceil(all.share_floor->out)));
}

// The rule, with its window where the figures are of another one.
std::string of_rule(const Circumstances& at) {
  const Duration window = at.rule->window();
  const std::string in = window == at.view.scale.length ? "" : fmt::format("in {} ", span_of(window));
  return fmt::format("{}of {}", in, quoted(*at.rule));
}

std::string_view reach(std::uint64_t count) { return count == 1 ? "reaches" : "reach"; }

// The way in that the figures reach, in their words: "160 accesses in the last 1 s reach the 100".
std::string reached(const Circumstances& at, Reason reason) {
  const Thresholds& ways = at.rule->thresholds();
  const WindowSums& sums = at.view.sums;
  const auto told = [&](const std::string& figure, std::uint64_t count, std::uint64_t in) {
    return fmt::format("{} in the last {} {} the {}", figure, span_of(at.view.scale.length), reach(count),
                       in);
  };
  if (reason == Reason::writes)
    return told(counted(sums.writes_seen, "write", "s"), sums.writes_seen, ways.writes->in);
  if (reason == Reason::misses)
    return told(counted(sums.misses_seen, "miss", "es"), sums.misses_seen, ways.misses->in);
  if (reason == Reason::share) {
    const double share = static_cast<double>(sums.count) / static_cast<double>(at.view.scale.total);
    return fmt::format("{}, {:.4g} % of all, {} the {:.4g} %", accesses(at), 100 * share, reach(sums.count),
                       100 * ways.share);
  }
  return told(counted(sums.count, "access", "es"), sums.count, ways.rate->in);
}

std::optional<Reason> way_in_of(const Circumstances& at) {
  return way_in(at.rule->thresholds(), at.view.sums, at.view.scale.total);
}

std::string hot_sentence(const Circumstances& at) {
  const std::string since = rfc3339(at.hot->shown.detected_at_ms);
  if (const auto reason = way_in_of(at))
    return fmt::format("Hot since {}: {} {}.", since, reached(at, *reason), of_rule(at));
  const std::string now = fmt::format("Hot since {}: {} no longer {} the {} {}", since, figures(at),
                                      reach(at.view.sums.count), ways_in(*at.rule), of_rule(at));
  const std::string after = span_of(at.hot->after());
  if (is_below_all(at.rule->thresholds(), at.view.sums, at.view.scale.total)) {
    return fmt::format("{}, and {} so few, below {}, that it leaves once that has lasted {}.", now,
                       at.view.sums.count == 1 ? "is" : "are", ways_out(*at.rule), after);
  }
  return fmt::format("{}, but it leaves only after {} below {}.", now, after, ways_out(*at.rule));
}

std::string cold_sentence(const Circumstances& at) {
  if (!at.rule) return fmt::format("Not hot: {}, but no rule matches it.", accesses(at));
  const auto reason = way_in_of(at);
  if (!reason) {
    return fmt::format("Not hot: {} {} not reach the {} {}.", figures(at),
                       at.view.sums.count == 1 ? "does" : "do", ways_in(*at.rule), of_rule(at));
  }
  const bool is_kept_out = at.is_waiting && at.is_full;
  return fmt::format("Not hot: {} {}, but {}.", reached(at, *reason), of_rule(at),
                     is_kept_out ? "hotter keys fill the hot set" : "the next tick will judge it");
}

}  // namespace

std::string explain(const Circumstances& at) {
  if (at.denial)
    return fmt::format("Never hot: denied by order {}, whatever its {}.", end_of(*at.denial), accesses(at));
  if (at.is_disabled)
    return fmt::format("Not hot: its namespace is disabled by order, whatever its {}.", accesses(at));
  if (at.pin) return fmt::format("Hot by order: pinned {}, whatever its {}.", end_of(*at.pin), accesses(at));
  if (at.hot && at.rule) return hot_sentence(at);
  return cold_sentence(at);
}

}  // namespace hotkeyd
