#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Top, RanksTheHottestKeysHotOrNotTiesByTheirBytes) {
  DetectorDriver driver(at_100());
  driver.observe({{"k3", 3}, {"k9b", 9}, {"k9a", 9}, {"k90", 90}, {"k250", 0, 250}});
  std::vector<std::string> rows;
  for (const TopRow& row : driver.detector().top(driver.ns(), 4, driver.now())) {
    rows.push_back(std::string(row.key) + " " + std::to_string(row.rate) + " " +
                   std::string(to_string(row.key_class)) + " " + std::string(to_string(row.standing)));
    EXPECT_LE(row.error, 7U);
  }
  EXPECT_THAT(rows,
              ElementsAre("k250 250 write hot", "k90 90 read warm", "k9a 9 read warm", "k9b 9 read warm"));
}

TEST(Top, ShowsOrders) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.pin("pinned") && driver.deny("denied") && driver.pin("idle"));
  driver.observe({{"pinned", 200}, {"denied", 150}});
  const auto rows = driver.detector().top(driver.ns(), 10, driver.now());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].standing, Standing::pinned);
  EXPECT_EQ(rows[1].standing, Standing::denied);
}

TEST(Top, IsOfTheBaseWindow) {
  RuleOptions pages = make_rule("pages", "page:*", 10);
  pages.window = 60s;
  DetectorDriver driver(make_options({pages, make_rule("rest", "*", 100)}));
  driver.read("page:1", 600);
  driver.run(3s);
  driver.read("k", 50);
  const auto rows = driver.detector().top(driver.ns(), 10, driver.now());
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].key, "k");
}

TEST(Hit, AnswersTheCountInTheBaseWindow) {
  DetectorDriver driver(at_100());
  Decisions decisions;
  const auto hit = [&](const Access& access) {
    return driver.detector().hit(driver.ns(), access, driver.now(), decisions);
  };
  EXPECT_EQ(hit({.key = "k", .reads = 1}), 1U);
  EXPECT_EQ(hit({.key = "k", .reads = 9}), 10U);
  EXPECT_EQ(hit({.key = "k", .writes = 5}), 15U);
  EXPECT_EQ(hit({.key = "other", .reads = 2, .misses = 2}), 2U);
  driver.run(2s);
  EXPECT_EQ(hit({.key = "k", .reads = 1}), 1U);
}

TEST(Episodes, AreNewestFirstAndTheRunningOneHasNoEnd) {
  DetectorDriver driver(at_100());
  driver.read("first", 150);
  driver.run(3s);
  ASSERT_TRUE(driver.pin("second"));
  const auto episodes = driver.detector().episodes(driver.ns(), 10);
  ASSERT_EQ(episodes.size(), 2U);
  EXPECT_EQ(episodes[0].key, "second");
  EXPECT_EQ(episodes[0].reason, Reason::pinned);
  EXPECT_EQ(episodes[0].ended_ms, std::nullopt);
  EXPECT_EQ(episodes[1].key, "first");
  EXPECT_EQ(episodes[1].rule, "rest");
  EXPECT_EQ(episodes[1].reason, Reason::rate);
  EXPECT_EQ(episodes[1].started_ms, kStartMs);
  EXPECT_EQ(episodes[1].ended_ms, kStartMs + 2100);
  EXPECT_EQ(episodes[1].peak_rate, 150U);
  EXPECT_EQ(driver.detector().episodes(driver.ns(), 1).size(), 1U);
}

TEST(Episodes, KnowTheirPeak) {
  DetectorDriver driver(at_100());
  driver.read("k", 120);
  driver.read("k", 480);
  driver.run(5s);
  EXPECT_EQ(driver.detector().episodes(driver.ns(), 1).front().peak_rate, 600U);
}

TEST(RulesView, ShowsEffectiveValuesInOrderAndTheSmallestThreshold) {
  RuleOptions foreign = make_rule("foreign", "x", 5);
  foreign.ns = "other";
  RuleOptions pages = make_rule("pages", "^page:", 10);
  pages.match_kind = MatchKind::regex;
  pages.window = 60s;
  DetectorDriver driver(
      make_options({make_rule("stock", "stock:*", 50), foreign, pages, make_rule("rest", "*", 100)}));
  const RulesView view = driver.detector().rules("shop");
  ASSERT_EQ(view.rules.size(), 3U);
  EXPECT_EQ(view.smallest_threshold, 50U);
  EXPECT_EQ(view.rules[0].options.name, "stock");
  EXPECT_EQ(view.rules[0].options.window, Duration(1s));
  EXPECT_EQ(view.rules[1].threshold_min, 600U);
  EXPECT_EQ(view.rules[2].options.demote.rate, 60);
  EXPECT_EQ(view.rules[2].options.promote.writes, 100);
  EXPECT_EQ(driver.detector().rules("other").smallest_threshold, 5U);
  EXPECT_EQ(driver.detector().namespaces(), 1U);
}

TEST(Stats, CountWhatWasSeenAndDecided) {
  RuleOptions rule = make_rule("rest", "*", 100);
  rule.alert = AlertOptions{300};
  DetectorDriver driver(make_options({rule}));
  driver.observe({{"a", 400, 0, 10, 5}, {"b", 0, 100}, {"c", 7}});
  driver.run(100ms);
  const NamespaceStats stats = driver.detector().stats(driver.ns());
  EXPECT_EQ(stats.reads, 407U);
  EXPECT_EQ(stats.writes, 100U);
  EXPECT_EQ(stats.misses, 10U);
  EXPECT_EQ(stats.local_hits, 5U);
  EXPECT_EQ(stats.tracked_keys, 3U);
  EXPECT_EQ(stats.hot_keys, (std::map<KeyClass, std::size_t>{{KeyClass::read, 1}, {KeyClass::write, 1}}));
  EXPECT_EQ(stats.hottest_rate, 400U);
  EXPECT_EQ(stats.alerting_keys, 1U);
  EXPECT_EQ(stats.decisions.at(DecisionKind::promoted), 2U);
  EXPECT_EQ(stats.decisions.at(DecisionKind::demoted), 0U);
  EXPECT_GT(stats.memory_bytes, 1U << 18);
  driver.run(5s);
  const NamespaceStats later = driver.detector().stats(driver.ns());
  EXPECT_EQ(later.hottest_rate, 0U);
  EXPECT_EQ(later.tracked_keys, 0U);
  EXPECT_EQ(later.decisions.at(DecisionKind::demoted), 2U);
}

TEST(Stats, TheHottestRateIsAlsoOfAKeyThatIsNotHot) {
  DetectorDriver driver(at_100());
  driver.read("k", 60);
  driver.run(100ms);
  EXPECT_EQ(driver.detector().stats(driver.ns()).hottest_rate, 60U);
}

TEST(UntilTick, IsTheNextSlotOfAnyWindow) {
  DetectorDriver base(at_100());
  EXPECT_EQ(base.detector().until_tick(Time{} + 30ms), Duration(70ms));
  EXPECT_EQ(base.detector().until_tick(Time{} + 100ms), Duration(100ms));
  RuleOptions quick = make_rule("quick", "*", 100);
  quick.window = 500ms;
  DetectorDriver driver(make_options({quick}));
  EXPECT_EQ(driver.detector().until_tick(Time{} + 30ms), Duration(20ms));
}

TEST(HotSet, ShowsFiguresAsOfTheLastTick) {
  DetectorDriver driver(at_100());
  driver.read("k", 100);
  driver.run(100ms);
  driver.read("k", 50);
  EXPECT_EQ(driver.detector().hot_keys(driver.ns()).front()->figures.count, 100U);
  driver.run(100ms);
  EXPECT_EQ(driver.detector().hot_keys(driver.ns()).front()->figures.count, 150U);
  EXPECT_EQ(driver.detector().hot_keys(driver.ns()).front()->seq, 1U);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

}  // namespace
}  // namespace hotkeyd
