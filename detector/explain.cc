#include "detector/explain.h"

#include <fmt/format.h>

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

std::string ways_in(const Rule& rule) {
  const Thresholds& ways = rule.thresholds();
  std::string text;
  const auto add = [&text](const std::string& way) { text += (text.empty() ? "" : " or ") + way; };
  if (ways.rate) add(fmt::format("{} accesses", ways.rate->in));
  if (ways.writes && (!ways.rate || ways.writes->in != ways.rate->in))
    add(fmt::format("{} writes", ways.writes->in));
  if (ways.misses) add(fmt::format("{} misses", ways.misses->in));
  if (ways.share_floor) {
    add(fmt::format("{:.4g} % of all accesses from {} on", 100 * ways.share, ways.share_floor->in));
  }
  return text;
}

std::string hot_sentence(const Circumstances& at) {
  const std::string since = rfc3339(at.hot->shown.detected_at_ms);
  const auto& rate = at.rule->thresholds().rate;
  if (rate && at.view.sums.count >= rate->in) {
    return fmt::format("Hot since {}: {} reach the {} of {}.", since, accesses(at), rate->in,
                       quoted(*at.rule));
  }
  const bool is_below = is_below_all(at.rule->thresholds(), at.view.sums, at.view.scale.total);
  return fmt::format("Hot since {}: {} of {} made it so, and {} {}.", since, ways_in(*at.rule),
                     quoted(*at.rule), accesses(at),
                     is_below ? fmt::format("are so few that it leaves after {}", span_of(at.hot->after()))
                              : "are not few enough to leave");
}

std::string cold_sentence(const Circumstances& at) {
  if (!at.rule) return fmt::format("Not hot: {}, but no rule matches it.", accesses(at));
  if (at.is_waiting) {
    return fmt::format(
        "Not hot: {} reach {}, but hotter keys fill the hot set, or the next tick will judge it.",
        accesses(at), quoted(*at.rule));
  }
  return fmt::format("Not hot: {} do not reach the {} of {}.", accesses(at), ways_in(*at.rule),
                     quoted(*at.rule));
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
