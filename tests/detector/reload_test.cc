#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RuleOptions slow(RuleOptions rule) {
  rule.demote.after = 60s;
  return rule;
}

TEST(Reload, MatchesEveryHotKeyAnew) {
  DetectorDriver driver(
      make_options({slow(make_rule("gone", "gone:*", 10)), slow(make_rule("moved", "moved:*", 10)),
                    slow(make_rule("kept", "kept:*", 10))}));
  for (const char* key : {"gone:1", "moved:1", "kept:1"}) driver.read(key, 50);
  driver.told();
  RuleOptions heir = slow(make_rule("heir", "moved:*", 10));
  heir.near_cache.reset();
  driver.set_rules({heir, slow(make_rule("kept", "kept:*", 10))});
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), 2U);
  EXPECT_EQ(sentence(decisions[0]), "demoted gone:1 rule_removed");
  EXPECT_EQ(sentence(decisions[1]), "updated moved:1 rule_changed");
  EXPECT_EQ(decisions[1].key.rule, "heir");
  EXPECT_EQ(decisions[1].key.actions.near_cache, std::nullopt);
  EXPECT_THAT(driver.hot(), ElementsAre("kept:1", "moved:1"));
}

TEST(Reload, WithOtherActionsOfTheSameRuleIsAnUpdate) {
  DetectorDriver driver(make_options({slow(make_rule("rest", "*", 100))}));
  driver.read("k", 150);
  driver.told();
  RuleOptions rule = slow(make_rule("rest", "*", 100));
  driver.set_rules({rule});
  EXPECT_THAT(driver.told(), IsEmpty());
  rule.alert = AlertOptions{120};
  driver.set_rules({rule});
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_EQ(sentence(decisions[0]), "updated k rule_changed");
  EXPECT_TRUE(decisions[0].key.actions.alert);
}

TEST(Reload, KeepsTheCountsOfWindowsThatStay) {
  RuleOptions minute = make_rule("minute", "slow:*", 100.0 / 60);
  minute.window = 60s;
  DetectorDriver driver(make_options({minute, make_rule("rest", "*", 100)}));
  driver.read("slow:1", 99);
  driver.run(2s);
  driver.set_rules({minute, make_rule("extra", "extra:*", 5), make_rule("rest", "*", 100)});
  driver.read("slow:1", 1);
  driver.read("extra:1", 5);
  EXPECT_THAT(driver.told(), ElementsAre("promoted slow:1 rate", "promoted extra:1 rate"));
}

TEST(Reload, OfALowerThresholdPromotesABusyKeyAtTheNextTick) {
  DetectorDriver driver(make_options({make_rule("rest", "*", 2000)}));
  driver.read_steadily("k", 30, 2s);
  driver.set_rules({make_rule("rest", "*", 100)});
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.read_steadily("k", 30, 200ms);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Reload, OfALowerThresholdAlsoFindsKeysThatWereNoCandidates) {
  DetectorOptions options = make_options({make_rule("rest", "*", 100'000)});
  options.top_k = 0;
  DetectorDriver driver(options);
  driver.read_steadily("k", 30, 2s);
  driver.set_rules({make_rule("rest", "*", 100)});
  driver.read_steadily("k", 30, 200ms);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Reload, OfAHigherThresholdIsOrdinaryCooling) {
  DetectorDriver driver(make_options({make_rule("rest", "*", 100)}));
  driver.read_steadily("k", 30, 2s);
  driver.told();
  driver.set_rules({make_rule("rest", "*", 1000)});
  driver.read_steadily("k", 30, 900ms);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.read_steadily("k", 30, 500ms);
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
}

TEST(Reload, OfAnotherWindowCoolsOnlyAfterAWholeOneOfIt) {
  DetectorDriver driver(make_options({make_rule("rest", "*", 100)}));
  driver.read("k", 150);
  RuleOptions rule = make_rule("rest", "*", 100);
  rule.window = 10s;
  driver.set_rules({rule});
  driver.run(10s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
  EXPECT_EQ(driver.detector().hot_keys(driver.ns()).front()->window_ms, 10'000);
  driver.run(2s);
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
}

TEST(Reload, LeavesPinsHot) {
  DetectorDriver driver(make_options({make_rule("rest", "*", 100)}));
  ASSERT_TRUE(driver.pin("k"));
  driver.set_rules({});
  driver.set_rules({make_rule("rest", "*", 100)});
  EXPECT_THAT(driver.told(),
              ElementsAre("promoted k pinned", "updated k rule_changed", "updated k rule_changed"));
  EXPECT_THAT(driver.hot(), ElementsAre("k"));
}

TEST(Reload, ThatRemovesAWindowForgetsWhatOnlyItCounted) {
  RuleOptions minute = make_rule("minute", "*", 10);
  minute.window = 60s;
  DetectorDriver driver(make_options({minute}));
  driver.read("hot", 600);
  driver.read("warm", 500);
  driver.run(10s);
  driver.set_rules({});
  EXPECT_THAT(driver.told(), ElementsAre("promoted hot rate", "demoted hot rule_removed"));
  driver.set_rules({minute});
  driver.read("warm", 100);
  driver.run(60s);
  EXPECT_THAT(driver.told(), IsEmpty());
}

TEST(Reload, ShowsTheNewRules) {
  DetectorDriver driver(make_options({make_rule("old", "*", 100)}));
  driver.set_rules({make_rule("new", "*", 50)});
  EXPECT_EQ(driver.detector().rules("shop").rules.front().options.name, "new");
  EXPECT_EQ(driver.detector().rules("shop").smallest_threshold, 50U);
}

}  // namespace
}  // namespace hotkeyd
