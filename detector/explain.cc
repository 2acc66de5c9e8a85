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

std::string accesses(const Circumstances& at) {
  return fmt::format("{} accesses in the last {}", at.view.sums.count, span_of(at.view.scale.length));
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
  const auto add = [&others](std::uint64_t count, std::string_view what) {
    others += fmt::format("{}{} {}", others.empty() ? " (" : ", ", count, what);
  };
  if (asks_for_writes(ways)) add(at.view.sums.writes_seen, "writes");
  if (ways.misses) add(at.view.sums.misses_seen, "misses");
  if (ways.share_floor && at.view.scale.total > 0) add(at.view.scale.total, "of all keys");
  return fmt::format("{} accesses{}{} in the last {}", at.view.sums.count, others, others.empty() ? "" : ")",
                     span_of(at.view.scale.length));
}

// "100 accesses or 10 writes": the ways of a rule as counts of its window.
std::string ways(const Thresholds& all, std::string_view between, double (*count_of)(const Way&)) {
  std::string text;
  const auto add = [&](const std::optional<Way>& way, std::string_view what) {
    if (way) text += fmt::format("{}{:.10g} {}", text.empty() ? "" : between, count_of(*way), what);
  };
  add(all.rate, "accesses");
  if (asks_for_writes(all)) add(all.writes, "writes");
  add(all.misses, "misses");
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

// The way in that the figures reach, in their words: "160 accesses in the last 1 s reach the 100".
std::string reached(const Circumstances& at, Reason reason) {
  const Thresholds& ways = at.rule->thresholds();
  const WindowSums& sums = at.view.sums;
  const std::string span = span_of(at.view.scale.length);
  if (reason == Reason::writes)
    return fmt::format("{} writes in the last {} reach the {}", sums.writes_seen, span, ways.writes->in);
  if (reason == Reason::misses)
    return fmt::format("{} misses in the last {} reach the {}", sums.misses_seen, span, ways.misses->in);
  if (reason == Reason::share) {
    const double share = static_cast<double>(sums.count) / static_cast<double>(at.view.scale.total);
    return fmt::format("{}, {:.4g} % of all, reach the {:.4g} %", accesses(at), 100 * share,
                       100 * ways.share);
  }
  return fmt::format("{} reach the {}", accesses(at), ways.rate->in);
}

std::optional<Reason> way_in_of(const Circumstances& at) {
  return way_in(at.rule->thresholds(), at.view.sums, at.view.scale.total);
}

std::string hot_sentence(const Circumstances& at) {
  const std::string since = rfc3339(at.hot->shown.detected_at_ms);
  if (const auto reason = way_in_of(at))
    return fmt::format("Hot since {}: {} {}.", since, reached(at, *reason), of_rule(at));
  const std::string now = fmt::format("Hot since {}: {} no longer reach the {} {}", since, figures(at),
                                      ways_in(*at.rule), of_rule(at));
  const std::string after = span_of(at.hot->after());
  if (is_below_all(at.rule->thresholds(), at.view.sums, at.view.scale.total)) {
    return fmt::format("{}, and are so few, below {}, that it leaves once that has lasted {}.", now,
                       ways_out(*at.rule), after);
  }
  return fmt::format("{}, but it leaves only after {} below {}.", now, after, ways_out(*at.rule));
}

std::string cold_sentence(const Circumstances& at) {
  if (!at.rule) return fmt::format("Not hot: {}, but no rule matches it.", accesses(at));
  const auto reason = way_in_of(at);
  if (!reason) {
    return fmt::format("Not hot: {} do not reach the {} {}.", figures(at), ways_in(*at.rule), of_rule(at));
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
