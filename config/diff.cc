#include "config/diff.h"

#include <algorithm>
#include <set>

#include "config/sections.h"

namespace hotkeyd {
namespace {

enum class Effect { at_once, restart };

struct Option {
  std::string_view name;
  Effect effect;
  bool (*is_same)(const Config& a, const Config& b);
  void (*keep)(const Config& running, Config& in_force);
};

template <auto First, auto... Rest>
auto& value_at(auto& object) {
  if constexpr (sizeof...(Rest) == 0) {
    return object.*First;
  } else {
    return value_at<Rest...>(object.*First);
  }
}

// The option whose value lies at this path of members.
template <auto... Path>
constexpr Option option(std::string_view name, Effect effect) {
  return {name, effect,
          [](const Config& a, const Config& b) { return value_at<Path...>(a) == value_at<Path...>(b); },
          [](const Config& running, Config& in_force) {
            value_at<Path...>(in_force) = value_at<Path...>(running);
          }};
}

constexpr Option kOptions[] = {
    option<&Config::node>("node", Effect::restart),
    option<&Config::detector, &DetectorOptions::namespaces_max>("namespaces_max", Effect::restart),
    option<&Config::detector, &DetectorOptions::namespaces>("namespaces", Effect::restart),
    option<&Config::server, &ServerOptions::listen>("listen", Effect::at_once),
    option<&Config::http, &HttpOptions::listen>("http", Effect::at_once),
    option<&Config::detector, &DetectorOptions::window>("detector.window", Effect::restart),
    option<&Config::detector, &DetectorOptions::slots>("detector.slots", Effect::restart),
    option<&Config::detector, &DetectorOptions::memory_per_namespace>("detector.memory_per_namespace",
                                                                      Effect::restart),
    option<&Config::detector, &DetectorOptions::names_max>("detector.names_max", Effect::restart),
    option<&Config::detector, &DetectorOptions::top_k>("detector.top_k", Effect::restart),
    option<&Config::detector, &DetectorOptions::hot_keys_max>("detector.hot_keys_max", Effect::restart),
    option<&Config::detector, &DetectorOptions::admission>("detector.admission", Effect::restart),
    option<&Config::detector, &DetectorOptions::rules>("rules", Effect::at_once),
    option<&Config::publishers>("publishers", Effect::at_once),
    option<&Config::lease>("lease", Effect::at_once),
    option<&Config::drain>("drain", Effect::at_once),
    option<&Config::state>("state", Effect::restart),
    option<&Config::log_level>("log.level", Effect::at_once),
    option<&Config::log_format>("log.format", Effect::at_once),
};

// Whether windows that were checked against another detector can run in this one.
bool rules_fit(const Config& loaded, const DetectorOptions& running) {
  std::set<Duration> windows{running.window};
  for (const RuleOptions& rule : loaded.detector.rules) {
    if (rule.window == Duration{}) continue;
    if (to_ms(rule.window) % running.slots != 0) return false;
    windows.insert(rule.window);
  }
  return windows.size() <= kWindowsMax;
}

bool must_wait(const Option& option, const Config& running, const Config& loaded) {
  if (option.effect == Effect::restart) return true;
  return option.name == "rules" && !rules_fit(loaded, running.detector);
}

}  // namespace

bool ConfigDiff::applies(std::string_view option) const {
  return std::find(applied.begin(), applied.end(), option) != applied.end();
}

ConfigDiff diff_configs(const Config& running, const Config& loaded) {
  ConfigDiff diff;
  diff.in_force = loaded;
  for (const Option& option : kOptions) {
    const bool is_same = option.is_same(running, loaded);
    const bool waits = !is_same && must_wait(option, running, loaded);
    if (waits) option.keep(running, diff.in_force);
    auto& list = is_same ? diff.unchanged : waits ? diff.needs_restart : diff.applied;
    list.emplace_back(option.name);
    if (option.name == "rules" && waits) diff.in_force.has_rules = running.has_rules;
  }
  diff.in_force.server.node = diff.in_force.node;
  return diff;
}

}  // namespace hotkeyd
