#include "config/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/outcome.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kRunning[] = R"(
node: web-1
namespaces_max: 4
listen: [ "unix:///run/a.sock", "tcp://127.0.0.1:7420" ]
http: { listen: 127.0.0.1:7421 }
detector: { window: 1s, slots: 10, top_k: 100 }
rules: [ { name: rest, match: "*", promote: { rate: 100/s } } ]
publishers: [ { type: redis, endpoint: "redis://a:one@127.0.0.1:6379" } ]
lease: 9s
drain: 10s
log: { level: info, format: logfmt }
)";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

ConfigDiff diff_of(std::string_view loaded) { return diff_configs(config_of(kRunning), config_of(loaded)); }

TEST(ConfigDiff, FindsNothingInTheSameFile) {
  const ConfigDiff diff = diff_of(kRunning);
  EXPECT_THAT(diff.applied, IsEmpty());
  EXPECT_THAT(diff.needs_restart, IsEmpty());
  EXPECT_THAT(diff.unchanged,
              ElementsAre("node", "namespaces_max", "namespaces", "listen", "http", "detector.window",
                          "detector.slots", "detector.memory_per_namespace", "detector.names_max",
                          "detector.top_k", "detector.hot_keys_max", "detector.admission", "rules",
                          "publishers", "lease", "drain", "state", "log.level", "log.format"));
  EXPECT_EQ(print_config(diff.in_force), print_config(config_of(kRunning)));
}

struct Change {
  std::string_view what;
  std::string_view with;
  std::string_view option;
};

TEST(ConfigDiff, AppliesWhatCanChangeWhileRunning) {
  for (const Change& change :
       {Change{"a.sock", "b.sock", "listen"}, Change{"127.0.0.1:7421", "127.0.0.1:7422", "http"},
        Change{"http: { listen: 127.0.0.1:7421 }", "http: off", "http"}, Change{"100/s", "200/s", "rules"},
        Change{"match: \"*\"", "match: \"a*\"", "rules"},
        Change{"promote: { rate: 100/s }", "promote: { rate: 100/s }, demote: { after: 9s }", "rules"},
        Change{"promote: { rate: 100/s }", "promote: { rate: 100/s }, near_cache: off", "rules"},
        Change{"a:one@", "a:two@", "publishers"}, Change{"drain: 10s", "drain: 5s", "drain"},
        Change{"level: info", "level: debug", "log.level"},
        Change{"format: logfmt", "format: json", "log.format"}}) {
    const std::string loaded = replaced(kRunning, change.what, change.with);
    const ConfigDiff diff = diff_of(loaded);
    EXPECT_THAT(diff.applied, ElementsAre(change.option)) << change.with;
    EXPECT_TRUE(diff.applies(change.option));
    EXPECT_THAT(diff.needs_restart, IsEmpty()) << change.with;
    EXPECT_EQ(print_config(diff.in_force), print_config(config_of(loaded)));
  }
}

TEST(ConfigDiff, KeepsTheRunningValueOfWhatNeedsARestart) {
  for (const Change& change :
       {Change{"web-1", "web-2", "node"}, Change{"namespaces_max: 4", "namespaces_max: 5", "namespaces_max"},
        Change{"window: 1s", "window: 2s", "detector.window"},
        Change{"slots: 10", "slots: 20", "detector.slots"},
        Change{"top_k: 100", "hot_keys_max: 5, top_k: 100", "detector.hot_keys_max"},
        Change{"top_k: 100", "top_k: 200", "detector.top_k"}}) {
    const ConfigDiff diff = diff_of(replaced(kRunning, change.what, change.with));
    EXPECT_THAT(diff.needs_restart, ElementsAre(change.option)) << change.with;
    EXPECT_FALSE(diff.applies(change.option));
    EXPECT_THAT(diff.applied, IsEmpty()) << change.with;
    EXPECT_EQ(print_config(diff.in_force), print_config(config_of(kRunning)));
  }
}

TEST(ConfigDiff, AppliesTheRestOfAFileThatAlsoNeedsARestart) {
  const ConfigDiff diff = diff_of(replaced(replaced(kRunning, "web-1", "web-2"), "100/s", "300/s"));
  EXPECT_THAT(diff.applied, ElementsAre("rules"));
  EXPECT_THAT(diff.needs_restart, ElementsAre("node"));
  EXPECT_EQ(print_config(diff.in_force), print_config(config_of(replaced(kRunning, "100/s", "300/s"))));
  EXPECT_EQ(diff.in_force.server.node, "web-1");
}

TEST(ConfigDiff, LetsALeaseReachServerAndPublishers) {
  const ConfigDiff diff = diff_of(replaced(kRunning, "lease: 9s", "lease: 6s"));
  EXPECT_THAT(diff.applied, ElementsAre("publishers", "lease"));  // The default heartbeat is a third of it.
  EXPECT_EQ(diff.in_force.server.lease, std::chrono::seconds{6});
}

// Windows are multiples of the slots: 3002ms suits 2 slots and not the 10 that run on.
TEST(ConfigDiff, LetsRulesWaitThatDoNotFitTheRunningDetector) {
  const ConfigDiff diff = diff_of(
      replaced(replaced(kRunning, "slots: 10", "slots: 2"), "promote: {", "window: 3002ms, promote: {"));
  EXPECT_THAT(diff.applied, IsEmpty());
  EXPECT_THAT(diff.needs_restart, ElementsAre("detector.slots", "rules"));
  EXPECT_EQ(print_config(diff.in_force), print_config(config_of(kRunning)));
}

// Eight different windows are the most, and the running base window is one of them.
TEST(ConfigDiff, CountsTheWindowsOfRulesWithTheOneThatRuns) {
  std::string rules;
  for (int seconds = 3; seconds <= 9; ++seconds)
    rules += "{ name: w" + std::to_string(seconds) + ", match: x, window: " + std::to_string(seconds) +
             "s, promote: { rate: 1/s } }, ";
  const std::string eight = replaced(kRunning, "rules: [ ", "rules: [ " + rules);
  EXPECT_THAT(diff_of(eight).applied, ElementsAre("rules"));
  EXPECT_THAT(
      diff_of(replaced(replaced(eight, "window: 1s", "window: 2s"), "name: rest", "window: 2s, name: rest"))
          .needs_restart,
      ElementsAre("detector.window", "rules"));
}

// A rule that names the new base window keeps it, also while the old base window runs on.
TEST(ConfigDiff, KeepsTheWindowThatARuleNames) {
  const ConfigDiff diff = diff_of(
      replaced(replaced(kRunning, "window: 1s", "window: 2s"), "promote: {", "window: 2s, promote: {"));
  EXPECT_THAT(diff.applied, ElementsAre("rules"));
  EXPECT_EQ(diff.in_force.detector.rules[0].window, std::chrono::seconds{2});
}

}  // namespace
}  // namespace hotkeyd
