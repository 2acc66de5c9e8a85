#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Pins, MakeAKeyHotAtOnceWithoutAnyAccess) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.pin("k"));
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_EQ(sentence(decisions[0]), "promoted k pinned");
  EXPECT_EQ(decisions[0].key.rule, "rest");
  EXPECT_EQ(decisions[0].key.actions.near_cache, NearCacheOptions{});
  EXPECT_EQ(decisions[0].key.figures, KeyFigures{});
  driver.run(60s);
  EXPECT_THAT(driver.told(), IsEmpty());
  EXPECT_THAT(driver.hot(), ElementsAre("k"));
  driver.unpin("k");
  EXPECT_THAT(driver.told(), ElementsAre("demoted k unpinned"));
  driver.unpin("nobody");
  EXPECT_THAT(driver.told(), IsEmpty());
}

TEST(Pins, GivenAgainMakeNoEventButReplaceTheEnd) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.pin("longer", 300ms));
  ASSERT_TRUE(driver.pin("longer", 600s));
  ASSERT_TRUE(driver.pin("shorter"));
  ASSERT_TRUE(driver.pin("shorter", 500ms));
  driver.run(1s);
  EXPECT_THAT(driver.told(),
              ElementsAre("promoted longer pinned", "promoted shorter pinned", "demoted shorter unpinned"));
}

TEST(Pins, EndAtTheFirstTickAfterTheirTime) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.pin("k", 750ms));
  driver.run(700ms);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k pinned"));
  driver.run(100ms);
  EXPECT_THAT(driver.told(), ElementsAre("demoted k unpinned"));
}

TEST(Pins, EndAtAnyOrderAfterTheirTime) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.pin("k", 10ms));
  driver.jump(20ms);
  driver.allow("other");
  EXPECT_THAT(driver.told(), ElementsAre("promoted k pinned", "demoted k unpinned"));
}

TEST(Pins, OfAHotKeyAreUpdatesAndSoIsTheirEnd) {
  DetectorDriver driver(at_100());
  driver.read("k", 150);
  ASSERT_TRUE(driver.pin("k"));
  driver.unpin("k");
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate", "updated k pinned", "updated k unpinned"));
  driver.run(5s);
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
}

TEST(Pins, TheRatesOwnStateRunsOnBelowThem) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.pin("rises"));
  driver.read("falls", 150);
  ASSERT_TRUE(driver.pin("falls"));
  driver.run(5s);
  driver.read("rises", 100);
  EXPECT_THAT(driver.told(),
              ElementsAre("promoted rises pinned", "promoted falls rate", "updated falls pinned"));
  driver.unpin("rises");
  driver.unpin("falls");
  EXPECT_THAT(driver.told(), ElementsAre("updated rises unpinned", "demoted falls unpinned"));
}

TEST(Pins, OfAKeyThatNoRuleMatchesHaveTheDefaults) {
  RuleOptions stock = make_rule("stock", "stock:*", 100);
  stock.near_cache.reset();
  DetectorDriver driver(make_options({stock}));
  ASSERT_TRUE(driver.pin("free"));
  ASSERT_TRUE(driver.pin("stock:1"));
  const Decisions decisions = driver.decisions();
  EXPECT_EQ(decisions[0].key.rule, std::nullopt);
  EXPECT_EQ(decisions[0].key.window_ms, 1000);
  EXPECT_EQ(decisions[0].key.actions.near_cache, NearCacheOptions{});
  EXPECT_EQ(decisions[1].key.rule, "stock");
  EXPECT_EQ(decisions[1].key.actions.near_cache, std::nullopt);
  driver.read("free", 100'000);
  driver.unpin("free");
  EXPECT_THAT(driver.told(), ElementsAre("demoted free unpinned"));
}

TEST(Pins, ShowTheirTrafficAtEveryTick) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.pin("k"));
  driver.read_steadily("k", 2, 2s);
  const HotKey* key = driver.detector().hot_keys(driver.ns()).front();
  EXPECT_EQ(key->figures.count, 20U);
  EXPECT_EQ(key->figures.reads, 20U);
}

TEST(Denials, DemoteAtOnceAndKeepTheKeyColdWhateverItsRateOrPin) {
  DetectorDriver driver(at_100());
  driver.read("k", 150);
  ASSERT_TRUE(driver.deny("k"));
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate", "demoted k denied"));
  ASSERT_TRUE(driver.pin("k"));
  driver.read_steadily("k", 5000, 3s);
  EXPECT_THAT(driver.told(), IsEmpty());
  EXPECT_THAT(driver.hot(), IsEmpty());
}

TEST(Denials, DemoteAPinnedKeyAndTheirEndPromotesItAgain) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.pin("k"));
  ASSERT_TRUE(driver.deny("k", 1s));
  EXPECT_THAT(driver.told(), ElementsAre("promoted k pinned", "demoted k denied"));
  driver.run(2s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k pinned"));
}

TEST(Denials, LiftedLetABusyKeyBeHotAtTheNextTick) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.deny("allowed"));
  ASSERT_TRUE(driver.deny("expiring", 1500ms));
  for (int i = 0; i < 10; ++i) {
    driver.observe({{"allowed", 40}, {"expiring", 40}});
    driver.run(100ms);
  }
  driver.allow("allowed");
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.run(100ms);
  EXPECT_THAT(driver.told(), ElementsAre("promoted allowed rate"));
  for (int i = 0; i < 10; ++i) {
    driver.observe({{"allowed", 40}, {"expiring", 40}});
    driver.run(100ms);
  }
  EXPECT_THAT(driver.told(), ElementsAre("promoted expiring rate"));
}

TEST(Denials, LiftedOnceTheKeyIsBelowItsWayInPromoteOnTheCrossingAccess) {
  DetectorDriver driver(at_100());
  driver.read("k", 150);
  ASSERT_TRUE(driver.deny("k"));
  driver.run(3s);
  driver.allow("k");
  driver.told();
  driver.read("k", 99);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.read("k", 1);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Orders, AreLimitedPerKindAndNamespace) {
  DetectorOptions options = at_100();
  options.hot_keys_max = 3;
  DetectorDriver driver(options);
  for (const char* key : {"a", "b", "c"}) {
    EXPECT_TRUE(driver.pin(key));
    EXPECT_TRUE(driver.deny(std::string("not ") + key));
  }
  EXPECT_FALSE(driver.pin("d"));
  EXPECT_FALSE(driver.deny("not d"));
  EXPECT_TRUE(driver.pin("a"));
  EXPECT_THAT(driver.hot(), ElementsAre("a", "b", "c"));
  const NamespaceId other = *driver.detector().open("other");
  Decisions decisions;
  EXPECT_TRUE(driver.detector().pin(other, "d", std::nullopt, driver.now(), decisions));
}

}  // namespace
}  // namespace hotkeyd
