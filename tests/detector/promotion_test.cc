#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Promotion, FallsOnTheAccessThatCrosses) {
  DetectorDriver driver(at_100());
  driver.read("k", 99);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.read("k", 1);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Promotion, CountsSingleAccessesAsOneOfTheirWeight) {
  DetectorDriver driver(at_100());
  for (int i = 0; i < 99; ++i) driver.read("k", 1);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.write("k", 1);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Promotion, SaysEverythingOfTheKey) {
  DetectorDriver driver(at_100());
  driver.observe({{"other", 300}, {"k", 90, 10, 20, 30, 50'000}});
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), 2U);
  const HotKey& key = decisions[1].key;
  EXPECT_EQ(decisions[1].kind, DecisionKind::promoted);
  EXPECT_EQ(decisions[1].at_ms, kStartMs);
  EXPECT_EQ(key.key, "k");
  EXPECT_TRUE(key.is_hot);
  EXPECT_EQ(key.key_class, KeyClass::read);
  EXPECT_EQ(key.level, Level::hot);
  EXPECT_EQ(key.rule, "rest");
  EXPECT_EQ(key.figures.count, 100U);
  EXPECT_EQ(key.figures.reads, 90U);
  EXPECT_EQ(key.figures.writes, 10U);
  EXPECT_EQ(key.figures.misses, 20U);
  EXPECT_EQ(key.figures.local_hits, 30U);
  EXPECT_EQ(key.figures.bytes, 50'000U);
  EXPECT_EQ(key.figures.rate, 100U);
  EXPECT_DOUBLE_EQ(key.figures.share, 0.25);
  EXPECT_EQ(key.figures.sample, 1U);
  EXPECT_EQ(key.window_ms, 1000);
  EXPECT_EQ(key.detected_at_ms, kStartMs);
  EXPECT_EQ(key.actions.near_cache, NearCacheOptions{});
  EXPECT_EQ(key.seq, 2U);
}

TEST(Promotion, NeedsTheAccessesWithinOneWindow) {
  DetectorDriver driver(at_100());
  driver.read("k", 90);
  driver.run(2s);
  driver.read("k", 90);
  EXPECT_THAT(driver.told(), IsEmpty());
}

TEST(Promotion, SeesHalvesThatAreHalfASecondApartWhereverSlotsBegin) {
  for (Duration offset = 10ms; offset < 1s; offset += 70ms) {
    DetectorDriver driver(at_100());
    driver.run(offset);
    driver.read("k", 50);
    driver.run(500ms);
    driver.read("k", 50);
    EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
  }
}

TEST(Promotion, HappensOncePerEpisode) {
  DetectorDriver driver(at_100());
  driver.read_steadily("k", 50, 20s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Promotion, IsByTheRuleThatMatchesFirst) {
  DetectorDriver driver(make_options({make_rule("one", "stock:1", 300), make_rule("stock", "stock:*", 50)}));
  driver.read("stock:1", 250);
  driver.read("stock:2", 60);
  driver.read("other", 5000);
  EXPECT_THAT(driver.told(), ElementsAre("promoted stock:2 rate"));
}

TEST(Promotion, ByWritesOrMissesNeedsTheirOwnRate) {
  RuleOptions rule = make_rule("own", "*", 100'000);
  rule.promote.writes = 50;
  rule.promote.misses = 40;
  DetectorDriver driver(make_options({rule}));
  driver.observe({{"written", 0, 60}, {"missed", 60, 0, 50}, {"read", 5000, 40, 30}, {"barely", 0, 49}});
  EXPECT_THAT(driver.told(), ElementsAre("promoted written writes", "promoted missed misses"));
  driver.write("barely", 1);
  EXPECT_THAT(driver.told(), ElementsAre("promoted barely writes"));
}

TEST(Promotion, ReasonIsTheFirstTrueOfItsWays) {
  RuleOptions rule = make_rule("all", "*", 100);
  rule.promote.writes = 50;
  rule.promote.misses = 40;
  DetectorDriver driver(make_options({rule}));
  driver.observe({{"rate", 60, 60, 60}, {"writes", 40, 50, 40}});
  EXPECT_THAT(driver.told(), ElementsAre("promoted rate rate", "promoted writes writes"));
}

TEST(Promotion, WithALongerWindowAddsUpOverAllOfIt) {
  RuleOptions pages = make_rule("pages", "page:*", 10);
  pages.window = 60s;
  DetectorDriver driver(make_options({pages, make_rule("rest", "*", 590)}));
  for (int i = 0; i < 3; ++i) {
    driver.read("page:1", 200);
    driver.read("short:1", 200);
    driver.run(15s);
  }
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), 1U);
  const HotKey& key = decisions.front().key;
  EXPECT_EQ(key.key, "page:1");
  EXPECT_EQ(key.figures.count, 600U);
  EXPECT_EQ(key.figures.rate, 10U);
  EXPECT_EQ(key.window_ms, 60'000);
  EXPECT_EQ(key.rule, "pages");
}

TEST(Promotion, OfAThresholdBeyondAllCountsNeverComesButCountingWorks) {
  DetectorDriver driver(make_options({make_rule("never", "*", 1e9)}));
  driver.read("k", 900'000'000);
  EXPECT_THAT(driver.told(), IsEmpty());
  EXPECT_EQ(driver.explain("k").figures.count, 900'000'000);
}

TEST(Promotion, OfADefaultRuleIsAtAThousandPerSecond) {
  DetectorDriver driver(make_options({default_rule()}));
  driver.read("999", 999);
  driver.read("1000", 1000);
  EXPECT_THAT(driver.told(), ElementsAre("promoted 1000 rate"));
}

TEST(Promotion, IsNumberedWithoutGapsTogetherWithTakenNumbers) {
  DetectorDriver driver(at_100());
  EXPECT_EQ(driver.detector().last_seq(driver.ns()), 0U);
  driver.read("a", 100);
  EXPECT_EQ(driver.detector().take_seq(driver.ns()), 2U);
  driver.read("b", 100);
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), 2U);
  EXPECT_EQ(decisions[0].key.seq, 1U);
  EXPECT_EQ(decisions[1].key.seq, 3U);
  EXPECT_EQ(driver.detector().last_seq(driver.ns()), 3U);
}

TEST(Promotion, OfHostileKeysIsOfTheirBytes) {
  using namespace std::string_literals;
  DetectorDriver driver(at_100());
  const std::vector<std::string> keys{"a\0b"s, "\xff\xfe"s, "\r\n\x1b[31m"s, std::string(65'536, 'y'), "\""s};
  for (const std::string& key : keys) driver.read(key, 100);
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(decisions[i].key.key, keys[i]);
}

}  // namespace
}  // namespace hotkeyd
