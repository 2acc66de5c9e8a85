#include "detector/thresholds.h"

#include <gmock/gmock.h>

#include <chrono>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

TEST(Threshold, IsTheRateTimesTheWindowRoundedUpAndAtLeastOne) {
  EXPECT_EQ(threshold(1000, 1s), 1000U);
  EXPECT_EQ(threshold(1000, 1500ms), 1500U);
  EXPECT_EQ(threshold(0.5, 3s), 2U);
  EXPECT_EQ(threshold(0.001, 1s), 1U);
}

TEST(Threshold, OfRatesPerMinuteIsWhatWasWritten) {
  for (const double per_minute : {600.0, 1000000.0, 7.0, 100000.0, 999999.0}) {
    EXPECT_EQ(threshold(per_minute / 60, 60s), static_cast<std::uint64_t>(per_minute));
  }
}

TEST(Threshold, OfABillionPerSecondStillFits) { EXPECT_EQ(threshold(1e9, 60s), 60'000'000'000U); }

TEST(WayOut, IsTheSmallerOfSevenTenthsAndFourDeviationsAndAtLeastOne) {
  EXPECT_EQ(way_out(1), 1);
  EXPECT_EQ(way_out(10), 1);
  EXPECT_EQ(way_out(16), 1);
  EXPECT_EQ(way_out(100), 60);
  EXPECT_DOUBLE_EQ(way_out(1000), 700);
  EXPECT_DOUBLE_EQ(way_out(50), 50 - 4 * std::sqrt(50.0));
}

TEST(Thresholds, TakeWritesFromTheRateAndADemoteRateForTheRateOnly) {
  RuleOptions rule;
  rule.promote.rate = 1000;
  rule.demote.rate = 900;
  const Thresholds thresholds = thresholds_of(rule, 1s);
  EXPECT_EQ(thresholds.rate->in, 1000U);
  EXPECT_DOUBLE_EQ(thresholds.rate->out, 900);
  EXPECT_EQ(thresholds.writes->in, 1000U);
  EXPECT_DOUBLE_EQ(thresholds.writes->out, 700);
  EXPECT_DOUBLE_EQ(thresholds_of(rule, 2s).rate->out, 1800);
  EXPECT_FALSE(thresholds.misses || thresholds.share_floor);
}

TEST(Thresholds, WithoutARateHoldOnlyTheWaysNamed) {
  RuleOptions rule;
  rule.promote.misses = 40;
  const Thresholds thresholds = thresholds_of(rule, 1s);
  EXPECT_FALSE(thresholds.rate || thresholds.writes || thresholds.share_floor);
  EXPECT_EQ(thresholds.smallest(), 40U);
}

TEST(Thresholds, OfAShareAreThoseOfItsFloor) {
  RuleOptions rule;
  rule.promote.rate = 1000;
  rule.promote.share = 0.1;
  const Thresholds thresholds = thresholds_of(rule, 1s);
  EXPECT_EQ(thresholds.share_floor->in, 100U);
  EXPECT_DOUBLE_EQ(thresholds.share_floor->out, 60);
  EXPECT_EQ(thresholds.smallest(), 100U);
}

RuleOptions every_way() {
  RuleOptions rule;
  rule.promote = {.rate = 100, .writes = 50, .misses = 40, .share = 0.1, .share_floor = 30};
  return rule;
}

TEST(WayIn, IsTheFirstTrueOfRateWritesMissesShare) {
  const Thresholds ways = thresholds_of(every_way(), 1s);
  EXPECT_EQ(way_in(ways, {.count = 100, .writes_seen = 50, .misses_seen = 40}, 100), Reason::rate);
  EXPECT_EQ(way_in(ways, {.count = 99, .writes_seen = 50, .misses_seen = 40}, 100), Reason::writes);
  EXPECT_EQ(way_in(ways, {.count = 99, .writes_seen = 49, .misses_seen = 40}, 100), Reason::misses);
  EXPECT_EQ(way_in(ways, {.count = 99, .writes_seen = 49, .misses_seen = 39}, 990), Reason::share);
  EXPECT_EQ(way_in(ways, {.count = 99, .writes_seen = 49, .misses_seen = 39}, 991), std::nullopt);
  EXPECT_EQ(way_in(ways, {.count = 29}, 29), std::nullopt);
}

TEST(WayOut, MustHoldForEveryWayBeforeAKeyLeaves) {
  const Thresholds ways = thresholds_of(every_way(), 1s);
  EXPECT_FALSE(is_below_all(ways, {.count = 60}, 1000));
  EXPECT_TRUE(is_below_all(ways, {.count = 59}, 1000));
  EXPECT_FALSE(is_below_all(ways, {.count = 59, .writes_seen = 22}, 1000));
  EXPECT_FALSE(is_below_all(ways, {.count = 59, .misses_seen = 15}, 1000));
  EXPECT_FALSE(is_below_all(ways, {.count = 59}, 842));
  EXPECT_TRUE(is_below_all(ways, {.count = 59}, 843));
}

TEST(WayOut, OfAShareAlsoHoldsBelowItsFloorsWayOut) {
  const Thresholds ways = thresholds_of(every_way(), 1s);
  EXPECT_TRUE(is_below_all(ways, {.count = 8}, 8));
  EXPECT_FALSE(is_below_all(ways, {.count = 9}, 9));
}

}  // namespace
}  // namespace hotkeyd
