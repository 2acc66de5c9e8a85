// `rules`: one rule at a time; what its parts say of each other is checked here too.
#include <algorithm>
#include <array>
#include <set>

#include "config/pattern.h"
#include "config/sections.h"
#include "config/values.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kRulesMax = 1000;
constexpr double kCountMax = 4'294'967'295.0;  // Window counts saturate there.

// Reads rates of one rule, none of which may be more than its window can count.
class RateReader {
 public:
  explicit RateReader(Duration window) : seconds_(std::chrono::duration<double>(window).count()) {}

  Result<double> operator()(std::string_view text) const {
    auto rate = parse_rate(text);
    if (!rate || *rate * seconds_ <= kCountMax) return rate;
    return Error{"is more than a window can count (4294967295 accesses)"};
  }

 private:
  double seconds_;
};

void read_match(MapReader& map, RuleOptions& rule) {
  constexpr std::array kKinds{std::pair{"match", MatchKind::glob}, std::pair{"regex", MatchKind::regex},
                              std::pair{"exact", MatchKind::exact}};
  const YamlNode* first = nullptr;
  for (const auto& [name, kind] : kKinds) {
    const auto checked = [kind = kind](std::string_view pattern) -> Result<std::string> {
      const auto verdict = check_pattern(kind, pattern);
      return verdict ? Result<std::string>(std::string(pattern)) : Error{verdict.error()};
    };
    const YamlNode* node = map.read(name, rule.pattern, checked);
    if (node == nullptr) continue;
    if (first != nullptr) map.complain(*node, name, "only one of match, regex and exact is allowed");
    first = node;
    rule.match_kind = kind;
  }
  if (first == nullptr) map.complain("one of match, regex and exact is missing");
}

void read_window(MapReader& map, RuleOptions& rule, const DetectorOptions& detector) {
  const YamlNode* node = map.read("window", rule.window, duration_between(100ms, 24h));
  if (node == nullptr) return;
  if (to_ms(rule.window) % detector.slots != 0) {
    map.complain(*node, "window",
                 "must be a multiple of " + std::to_string(detector.slots) + "ms, since the detector has " +
                     std::to_string(detector.slots) + " slots");
  }
}

void read_promote(const YamlNode& node, const std::string& path, const RateReader& rate,
                  PromoteOptions& promote, ReadContext& context) {
  MapReader map(node, path, context);
  const bool gives_rate = map.read("rate", promote.rate, rate) != nullptr;
  const bool gives_writes = map.read("writes", promote.writes, rate) != nullptr;
  const bool gives_misses = map.read("misses", promote.misses, rate) != nullptr;
  const bool gives_share = map.read("share", promote.share, parse_fraction) != nullptr;
  const YamlNode* floor = map.read("share_floor", promote.share_floor, rate);
  if (floor != nullptr && !gives_share) map.complain(*floor, "share_floor", "has no effect without share");
  map.finish();
  const bool has_way_in = gives_rate || gives_writes || gives_misses || gives_share;
  if (!has_way_in) map.complain("one of rate, writes, misses and share is missing");
  if (!gives_writes) promote.writes = promote.rate;
}

void read_demote(const YamlNode& node, const std::string& path, const RateReader& rate, RuleOptions& rule,
                 ReadContext& context) {
  MapReader map(node, path, context);
  const YamlNode* way_out = map.read("rate", rule.demote.rate, rate);
  map.read("after", rule.demote.after, duration_between(0ms, 24h));
  map.finish();
  if (way_out == nullptr || !rule.demote.rate) return;
  if (!rule.promote.rate) {
    map.complain(*way_out, "rate", "has no effect without promote.rate");
  } else if (*rule.demote.rate >= *rule.promote.rate) {
    map.complain(*way_out, "rate", "must be below promote.rate (" + write_rate(*rule.promote.rate) + ")");
  }
}

void read_near_cache(const YamlNode& node, const std::string& path, RuleOptions& rule, ReadContext& context) {
  if (node.is_scalar() && node.text == "off") {
    rule.near_cache = std::nullopt;
    return;
  }
  if (node.is_scalar()) {
    context.problems.add(node.place, path, "must be off or a map of ttl and max_value_bytes");
    return;
  }
  MapReader map(node, path, context);
  NearCacheOptions near_cache;
  map.read("ttl", near_cache.ttl, duration_between(1ms, 24h));
  map.read("max_value_bytes", near_cache.max_value_bytes, size_between(1, 1 << 30));
  map.finish();
  rule.near_cache = near_cache;
}

// One of hot_pool, split and alert: its rate `at`, and a number called `number_name` where it has one.
template <typename Options>
std::optional<Options> read_action(MapReader& rule, std::string_view name, const RateReader& rate,
                                   std::string_view number_name, std::uint32_t Options::*number,
                                   std::uint32_t number_max, ReadContext& context) {
  const YamlNode* node = rule.take(name);
  if (node == nullptr) return std::nullopt;
  Options options;
  MapReader map(*node, rule.path_of(name), context);
  if (number != nullptr) map.read(number_name, options.*number, whole<std::uint32_t>(1, number_max));
  if (map.read("at", options.at, rate) == nullptr) map.complain("at is missing");
  map.finish();
  return options;
}

void read_actions(MapReader& map, const RateReader& rate, RuleOptions& rule, ReadContext& context) {
  if (const YamlNode* node = map.take("near_cache")) {
    read_near_cache(*node, map.path_of("near_cache"), rule, context);
  }
  rule.hot_pool =
      read_action<HotPoolOptions>(map, "hot_pool", rate, "copies", &HotPoolOptions::copies, 64, context);
  rule.split = read_action<SplitOptions>(map, "split", rate, "shards", &SplitOptions::shards, 4096, context);
  rule.alert = read_action<AlertOptions>(map, "alert", rate, "", nullptr, 0, context);
}

void read_namespace(MapReader& map, RuleOptions& rule, const DetectorOptions& detector) {
  const YamlNode* node = map.read("ns", rule.ns, parse_name);
  if (node == nullptr || !rule.ns || detector.namespaces.empty()) return;
  const auto& known = detector.namespaces;
  if (std::find(known.begin(), known.end(), *rule.ns) != known.end()) return;
  map.complain(*node, "ns", "is not in namespaces");
}

RuleOptions read_rule(const YamlNode& node, const std::string& path, const DetectorOptions& detector,
                      ReadContext& context) {
  RuleOptions rule;
  MapReader map(node, path, context);
  if (const YamlNode* name = map.take_required("name")) {
    rule.name = read_value<std::string>(*name, map.path_of("name"), context, parse_label).value_or("");
  }
  read_match(map, rule);
  read_namespace(map, rule, detector);
  read_window(map, rule, detector);
  const RateReader rate(rule.window == Duration{} ? detector.window : rule.window);
  if (const YamlNode* promote = map.take_required("promote")) {
    read_promote(*promote, map.path_of("promote"), rate, rule.promote, context);
  }
  if (const YamlNode* demote = map.take("demote")) {
    read_demote(*demote, map.path_of("demote"), rate, rule, context);
  }
  read_actions(map, rate, rule, context);
  map.finish();
  return rule;
}

}  // namespace

std::vector<RuleOptions> read_rules(const YamlNode& node, const DetectorOptions& detector,
                                    ReadContext& context) {
  const auto items = read_list(node, "rules", kRulesMax, context);
  if (node.is_list() && node.values.empty()) {
    context.problems.add(node.place, "rules",
                         "needs at least one rule (without the key the default applies)");
  }
  std::vector<RuleOptions> rules;
  std::set<std::string> names;
  std::set<Duration> windows{detector.window};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string path = "rules[" + std::to_string(i) + "]";
    rules.push_back(read_rule(items[i], path, detector, context));
    const RuleOptions& rule = rules.back();
    if (!rule.name.empty() && !names.insert(rule.name).second) {
      context.problems.add(items[i].place, path, "the name " + redis_escape(rule.name) + " is given twice");
    }
    if (rule.window == Duration{} || !windows.insert(rule.window).second) continue;
    if (windows.size() == kWindowsMax + 1) {
      context.problems.add(items[i].place, path,
                           "rules may have at most 8 different windows, detector.window included");
    }
  }
  return rules;
}

}  // namespace hotkeyd
