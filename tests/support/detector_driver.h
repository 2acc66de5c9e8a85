// Drives a Detector through virtual time as the daemon does: a tick at every slot, accesses in between.
//
// Decisions are collected; `told()` takes them as one short sentence each, "promoted k rate", which is what
// most tests compare.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "detector/detector.h"

namespace hotkeyd {

using namespace std::chrono_literals;

constexpr UnixMs kStartMs = 1'796'000'000'000;

inline std::string sentence(const Decision& decision) {
  return std::string(to_string(decision.kind)) + " " + decision.key.key + " " +
         std::string(to_string(decision.key.reason));
}

// A rule as the tests need it: promote at `rate`, way out at `out` (the default where absent), after 1 s.
inline RuleOptions make_rule(std::string name, std::string glob, double rate,
                             std::optional<double> out = {}) {
  RuleOptions rule;
  rule.name = std::move(name);
  rule.pattern = std::move(glob);
  rule.promote.rate = rate;
  rule.demote.rate = out;
  rule.demote.after = 1s;
  return rule;
}

inline DetectorOptions make_options(std::vector<RuleOptions> rules) {
  DetectorOptions options;
  options.memory_per_namespace = 1 << 18;
  options.names_max = 1 << 18;
  options.hot_keys_max = 100;
  options.rules = std::move(rules);
  options.seed = 42;
  return options;
}

// One rule for all keys: hot from 100 accesses in a second.
inline DetectorOptions at_100() { return make_options({make_rule("rest", "*", 100)}); }

class DetectorDriver {
 public:
  explicit DetectorDriver(const DetectorOptions& options, std::string_view ns = "shop")
      : detector_(options, now_), ns_(*detector_.open(ns)) {}

  Detector& detector() { return detector_; }
  NamespaceId ns() const { return ns_; }
  Now now() const { return now_; }

  // Lets time pass, with a tick at every slot's beginning.
  void run(Duration duration) {
    const Time end = now_.steady + duration;
    while (true) {
      const Time next = now_.steady + detector_.until_tick(now_.steady);
      if (next > end) break;
      jump(next - now_.steady);
      detector_.tick(now_, decisions_);
    }
    jump(end - now_.steady);
  }
  // Lets time pass unnoticed.
  void jump(Duration duration) {
    now_.steady += duration;
    now_.unix_ms = kStartMs + to_ms(now_.steady - Time{});
  }
  void tick() { detector_.tick(now_, decisions_); }

  void observe(std::vector<Access> accesses, const BatchInfo& info = {}) {
    detector_.observe(ns_, accesses, info, now_, decisions_);
  }
  void read(std::string_view key, std::uint64_t count) { observe({{.key = key, .reads = count}}); }
  void write(std::string_view key, std::uint64_t count) { observe({{.key = key, .writes = count}}); }
  // `per_slot` reads in each of the slots that begin within `duration`, at their beginnings.
  void read_steadily(std::string_view key, std::uint64_t per_slot, Duration duration) {
    for (Duration passed{}; passed < duration; passed += 100ms) {
      read(key, per_slot);
      run(100ms);
    }
  }

  bool pin(std::string_view key, std::optional<Duration> px = {}) {
    return detector_.pin(ns_, key, end_after(px), now_, decisions_).has_value();
  }
  bool deny(std::string_view key, std::optional<Duration> px = {}) {
    return detector_.deny(ns_, key, end_after(px), now_, decisions_).has_value();
  }
  void unpin(std::string_view key) { detector_.unpin(ns_, key, now_, decisions_); }
  void allow(std::string_view key) { detector_.allow(ns_, key, now_, decisions_); }
  void disable(std::optional<Duration> px = {}) { detector_.disable(ns_, end_after(px), now_, decisions_); }
  void enable() { detector_.enable(ns_, now_, decisions_); }
  void disable_all(std::optional<Duration> px = {}) {
    detector_.disable_all(end_after(px), now_, decisions_);
  }
  void enable_all() { detector_.enable_all(now_, decisions_); }
  void set_rules(std::vector<RuleOptions> rules) { detector_.set_rules(std::move(rules), now_, decisions_); }

  // Takes the decisions since the last call.
  Decisions decisions() { return std::exchange(decisions_, {}); }
  std::vector<std::string> told() {
    std::vector<std::string> sentences;
    for (const Decision& decision : decisions()) sentences.push_back(sentence(decision));
    return sentences;
  }
  std::vector<std::string> hot() const {
    std::vector<std::string> keys;
    for (const HotKey* hot : detector_.hot_keys(ns_)) keys.push_back(hot->key);
    return keys;
  }
  Explanation explain(std::string_view key) {
    Explanation nothing;
    nothing.key = "not tracked";
    return detector_.explain(ns_, key, now_).value_or(nothing);
  }

 private:
  std::optional<UnixMs> end_after(std::optional<Duration> px) const {
    return px ? std::optional(now_.unix_ms + to_ms(*px)) : std::nullopt;
  }

  Now now_{Time{}, kStartMs};
  Detector detector_;
  NamespaceId ns_;
  Decisions decisions_;
};

}  // namespace hotkeyd
