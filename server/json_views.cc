#include "server/json_views.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "wire/json_writer.h"

namespace hotkeyd {
namespace {

using Json = nlohmann::ordered_json;

void write_rule_name(JsonWriter& out, const std::optional<std::string>& rule) {
  rule ? out.text("rule", *rule) : out.null("rule");
}

void write_figures(JsonWriter& out, const KeyFigures& figures) {
  out.number("rate", figures.rate);
  out.number("error", figures.error);
  out.number("count", figures.count);
  out.number("reads", figures.reads);
  out.number("writes", figures.writes);
  out.number("misses", figures.misses);
  out.number("local_hits", figures.local_hits);
  out.number("bytes", figures.bytes);
}

// Whole numbers without a point.
Json number(double value) {
  constexpr double kExact = 9007199254740992.0;
  if (value == std::floor(value) && std::abs(value) < kExact) return static_cast<std::int64_t>(value);
  return value;
}

Json number_or_null(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

std::string_view kind_name(MatchKind kind) {
  switch (kind) {
    case MatchKind::regex:
      return "regex";
    case MatchKind::exact:
      return "exact";
    case MatchKind::glob:
      break;
  }
  return "match";
}

Json promote_json(const PromoteOptions& promote) {
  return {{"rate", number_or_null(promote.rate)},
          {"writes", number_or_null(promote.writes)},
          {"misses", number_or_null(promote.misses)},
          {"share", number_or_null(promote.share)},
          {"share_floor", number(promote.share_floor)}};
}

Json actions_json(const RuleOptions& rule) {
  Json out = {{"near_cache", nullptr}, {"hot_pool", nullptr}, {"split", nullptr}, {"alert", nullptr}};
  if (rule.near_cache) {
    out["near_cache"] = {{"ttl_ms", to_ms(rule.near_cache->ttl)},
                         {"max_value_bytes", rule.near_cache->max_value_bytes}};
  }
  if (rule.hot_pool) out["hot_pool"] = {{"copies", rule.hot_pool->copies}, {"at", number(rule.hot_pool->at)}};
  if (rule.split) out["split"] = {{"shards", rule.split->shards}, {"at", number(rule.split->at)}};
  if (rule.alert) out["alert"] = {{"at", number(rule.alert->at)}};
  return out;
}

Json rule_json(const EffectiveRule& effective) {
  const RuleOptions& rule = effective.options;
  Json out = {
      {"name", rule.name},
      {kind_name(rule.match_kind), rule.pattern},
      {"ns", rule.ns ? Json(*rule.ns) : Json(nullptr)},
      {"window_ms", to_ms(rule.window)},
      {"promote", promote_json(rule.promote)},
      {"demote", {{"rate", number_or_null(rule.demote.rate)}, {"after_ms", to_ms(rule.demote.after)}}}};
  out.update(actions_json(rule));
  return out;
}

}  // namespace

std::string explanation_json(std::string_view ns, const Explanation& explanation) {
  std::string text;
  JsonWriter out(text);
  out.begin_object();
  out.text("ns", ns);
  out.key(explanation.key);
  write_figures(out, explanation.figures);
  out.text("class", to_string(explanation.key_class));
  out.text("state", to_string(explanation.standing));
  write_rule_name(out, explanation.rule);
  out.number("since_ms", explanation.since_ms);
  out.boolean("pinned", explanation.pinned);
  out.boolean("denied", explanation.denied);
  out.text("why", explanation.why);
  out.end_object();
  return text;
}

std::string episode_json(const Episode& episode) {
  std::string text;
  JsonWriter out(text);
  out.begin_object();
  out.key(episode.key);
  write_rule_name(out, episode.rule);
  out.text("class", to_string(episode.key_class));
  out.text("reason", to_string(episode.reason));
  out.number("started_ms", episode.started_ms);
  episode.ended_ms ? out.number("ended_ms", *episode.ended_ms) : out.null("ended_ms");
  out.number("peak_rate", episode.peak_rate);
  out.end_object();
  return text;
}

std::string rules_json(const RulesView& rules) {
  Json out = {{"rules", Json::array()}, {"smallest_threshold", rules.smallest_threshold}};
  for (const EffectiveRule& rule : rules.rules) out["rules"].push_back(rule_json(rule));
  return out.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace hotkeyd
