#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

DetectorOptions cooling_at(std::optional<double> out = {}, Duration after = 1s) {
  RuleOptions rule = make_rule("rest", "*", 100, out);
  rule.demote.after = after;
  return make_options({rule});
}

TEST(Cooling, DemotesOnceWindowAndAfterHavePassed) {
  DetectorDriver driver(cooling_at());
  driver.read("k", 150);
  driver.run(2s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
  driver.run(100ms);  // The accesses left the window at 1.1 s.
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
  EXPECT_THAT(driver.hot(), IsEmpty());
  driver.run(20s);
  EXPECT_THAT(driver.told(), IsEmpty());
}

TEST(Cooling, SaysColdAndNoActions) {
  DetectorDriver driver(cooling_at());
  driver.read("k", 150);
  driver.run(3s);
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), 2U);
  const HotKey& key = decisions[1].key;
  EXPECT_FALSE(key.is_hot);
  EXPECT_EQ(key.actions, Actions{});
  EXPECT_EQ(key.seq, 2U);
  EXPECT_EQ(key.detected_at_ms, kStartMs);
  EXPECT_EQ(key.figures.count, 0U);
  EXPECT_EQ(decisions[1].at_ms, kStartMs + 2100);
}

TEST(Cooling, DoesNotHappenAtTheWayOut) {
  DetectorDriver driver(cooling_at());
  driver.read("k", 100);
  driver.read_steadily("k", 6, 20s);  // 60/s, the default way out of 100.
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Cooling, HappensBelowTheWayOutThoughStillAccessed) {
  DetectorDriver driver(cooling_at());
  driver.read("k", 100);
  driver.read_steadily("k", 5, 20s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate", "demoted k cooled"));
}

TEST(Cooling, FollowsTheDemoteRateOfTheRule) {
  DetectorDriver stays(cooling_at(50));
  stays.read("k", 150);
  stays.read_steadily("k", 5, 20s);
  EXPECT_THAT(stays.told(), ElementsAre("promoted k rate"));
  DetectorDriver leaves(cooling_at(51));
  leaves.read("k", 150);
  leaves.read_steadily("k", 5, 20s);
  EXPECT_THAT(leaves.told(), ElementsAre("promoted k rate", "demoted k cooled"));
}

TEST(Cooling, StartsAnewAfterADipShorterThanAfter) {
  DetectorDriver driver(cooling_at({}, 4s));
  for (int i = 0; i < 5; ++i) {
    driver.read_steadily("k", 20, 2s);
    driver.run(4400ms);  // Below since 0.8 s.
  }
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
  driver.run(400ms);
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
}

TEST(Cooling, NeedsToBeBelowEveryWayOut) {
  RuleOptions rule = make_rule("both", "*", 1000);
  rule.promote.writes = 100;
  DetectorDriver driver(make_options({rule}));
  driver.write("k", 100);
  for (int i = 0; i < 100; ++i) {
    driver.write("k", 6);
    driver.run(100ms);
  }
  EXPECT_THAT(driver.told(), ElementsAre("promoted k writes", "updated k class"));
  driver.read_steadily("k", 60, 10s);  // 600 reads a second are below 700.
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
}

TEST(Cooling, IsFollowedByAnotherEpisode) {
  DetectorDriver driver(cooling_at());
  for (int i = 0; i < 3; ++i) {
    driver.read("k", 100);
    driver.run(3s);
  }
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate", "demoted k cooled", "promoted k rate",
                                         "demoted k cooled", "promoted k rate", "demoted k cooled"));
}

TEST(Cooling, CountsLocalHitsAsAccesses) {
  DetectorDriver driver(cooling_at());
  driver.read("k", 100);
  for (int i = 0; i < 100; ++i) {
    driver.observe({{.key = "k", .reads = 10, .local_hits = 10}});
    driver.run(100ms);
  }
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Cooling, IsJudgedOnWholeWindowsThoughTicksAreLate) {
  DetectorDriver driver(cooling_at());
  driver.read("k", 100);
  for (int i = 0; i < 200; ++i) {  // Accesses of the new slot come before its tick.
    driver.jump(100ms);
    driver.read("k", 6);
    driver.jump(3ms);
    driver.tick();
    driver.jump(-3ms);
  }
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Cooling, OfALongWindowIsJudgedByItsOwnSlots) {
  RuleOptions pages = make_rule("pages", "*", 10);
  pages.window = 60s;
  DetectorDriver driver(make_options({pages}));
  driver.read("k", 600);
  driver.run(60s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
  driver.run(6s);  // Left the window; 1 s below are 6 s here.
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.run(6s);
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
}

}  // namespace
}  // namespace hotkeyd
