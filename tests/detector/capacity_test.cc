#include <gmock/gmock.h>

#include "base/random.h"
#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

DetectorOptions for_keys(std::size_t hot_keys_max, double rate = 100) {
  RuleOptions rule = make_rule("rest", "*", rate);
  rule.window = 60s;
  rule.promote.rate = rate / 60;
  DetectorOptions options = make_options({rule});
  options.hot_keys_max = hot_keys_max;
  return options;
}

TEST(HotSetLimit, AHotterNewcomerEvictsTheCoolest) {
  DetectorDriver driver(for_keys(3));
  driver.read("cool", 300);
  driver.read("warm", 400);
  driver.read("hot", 500);
  driver.read("cooler", 150);
  EXPECT_THAT(driver.told(), ElementsAre("promoted cool rate", "promoted warm rate", "promoted hot rate"));
  driver.read("hottest", 900);
  EXPECT_THAT(driver.told(), ElementsAre("demoted cool evicted", "promoted hottest rate"));
  EXPECT_THAT(driver.hot(), ElementsAre("hot", "hottest", "warm"));
  EXPECT_EQ(driver.detector().stats(driver.ns()).hot_set_full, 1U);
}

TEST(HotSetLimit, TheCoolestIsTheCoolestNow) {
  DetectorDriver driver(for_keys(2));
  driver.read("a", 100);
  driver.read("b", 200);
  driver.read("a", 900);
  driver.told();
  driver.read("newcomer", 500);
  EXPECT_THAT(driver.told(), ElementsAre("demoted b evicted", "promoted newcomer rate"));
}

TEST(HotSetLimit, PinsDoNotCountAndAreNotEvicted) {
  DetectorDriver driver(for_keys(2));
  ASSERT_TRUE(driver.pin("p1") && driver.pin("p2"));
  driver.read("a", 100);
  driver.read("b", 200);
  driver.told();
  driver.read("c", 300);
  EXPECT_THAT(driver.told(), ElementsAre("demoted a evicted", "promoted c rate"));
  EXPECT_THAT(driver.hot(), ElementsAre("b", "c", "p1", "p2"));
}

TEST(HotSetLimit, ARefusedKeyIsPromotedAtATickOnceThereIsRoomOrItIsHotter) {
  DetectorDriver driver(for_keys(1));
  driver.read("first", 200);
  driver.read("second", 150);
  driver.told();
  driver.read("second", 100);
  driver.run(6s);
  EXPECT_THAT(driver.told(), ElementsAre("demoted first evicted", "promoted second rate"));
  ASSERT_TRUE(driver.deny("second"));
  driver.told();
  driver.run(6s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted first rate"));
}

TEST(HotSetLimit, TwoEquallyHotKeysDoNotTakeTurns) {
  RuleOptions rule = make_rule("rest", "*", 100);
  DetectorOptions options = make_options({rule});
  options.hot_keys_max = 1;
  DetectorDriver driver(options);
  Random random(3);
  std::size_t decisions = 0;
  for (int i = 0; i < 600; ++i) {
    driver.observe({{"a", 20 + random.below(20)}, {"b", 20 + random.below(20)}});
    driver.run(100ms);
    decisions += driver.told().size();
  }
  EXPECT_LE(decisions, 3U);
}

TEST(HotSetLimit, APinMakesRoomAndItsEndTakesItBack) {
  DetectorDriver driver(for_keys(1));
  driver.read("a", 200);
  ASSERT_TRUE(driver.pin("a"));
  driver.read("b", 300);
  EXPECT_THAT(driver.told(), ElementsAre("promoted a rate", "updated a pinned", "promoted b rate"));
  driver.unpin("a");
  EXPECT_THAT(driver.told(), ElementsAre("demoted a unpinned"));
}

TEST(HotSetLimit, EvictedKeysGiveTheirRecordsBack) {
  DetectorOptions options = for_keys(1);
  options.top_k = 1;
  DetectorDriver driver(options);
  for (const char* key : {"a", "b", "c", "d"})
    driver.read(key, 100 * static_cast<std::uint64_t>(key[0] - '`'));
  EXPECT_THAT(driver.hot(), ElementsAre("d"));
  EXPECT_EQ(driver.detector().stats(driver.ns()).candidates_refused, 0U);
}

TEST(HotSetLimit, HoldsUnderAThousandKeysAtOnce) {
  DetectorDriver driver(for_keys(50));
  for (int i = 0; i < 1000; ++i) driver.read("k" + std::to_string(i), static_cast<std::uint64_t>(100 + i));
  EXPECT_EQ(driver.hot().size(), 50U);
  for (const std::string& key : driver.hot()) EXPECT_GE(std::stoi(key.substr(1)), 950);
}

TEST(Namespaces, DoNotMix) {
  DetectorDriver driver(make_options({make_rule("rest", "*", 100)}));
  const NamespaceId other = *driver.detector().open("other");
  const Access access{.key = "k", .reads = 60};
  Decisions decisions;
  driver.read("k", 60);
  driver.detector().observe(other, {&access, 1}, {}, driver.now(), decisions);
  EXPECT_THAT(decisions, IsEmpty());
  driver.detector().observe(other, {&access, 1}, {}, driver.now(), decisions);
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_EQ(decisions.front().ns, other);
  EXPECT_EQ(decisions.front().key.seq, 1U);
  EXPECT_THAT(driver.told(), IsEmpty());
}

TEST(Namespaces, AreCreatedOnFirstUseUpToTheLimit) {
  DetectorOptions options = make_options({});
  options.namespaces_max = 2;
  DetectorDriver driver(options);
  Detector& detector = driver.detector();
  EXPECT_EQ(detector.find("next"), std::nullopt);
  ASSERT_TRUE(detector.open("next"));
  EXPECT_EQ(detector.name(*detector.find("next")), "next");
  const auto refused = detector.open("more");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), "namespace limit (2) reached");
  EXPECT_EQ(*detector.open("shop"), driver.ns());
  EXPECT_EQ(detector.namespaces(), 2U);
}

TEST(Namespaces, OfAFixedListAreTheOnlyOnes) {
  DetectorOptions options = make_options({});
  options.namespaces = {"shop", "search"};
  options.namespaces_max = 1;
  DetectorDriver driver(options);
  EXPECT_TRUE(driver.detector().open("search"));
  const auto refused = driver.detector().open("else");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), "namespace \"else\" is not in the configuration");
}

TEST(Namespaces, WithBadNamesAreRefused) {
  DetectorDriver driver(make_options({}));
  for (const std::string& name :
       {std::string(), std::string("a b"), std::string("\xff"), std::string(129, 'n')}) {
    EXPECT_FALSE(driver.detector().open(name));
  }
  EXPECT_TRUE(driver.detector().open(std::string(128, 'n')));
}

}  // namespace
}  // namespace hotkeyd
