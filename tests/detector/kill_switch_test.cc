#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KillSwitch, DemotesEverythingAndPromotesNothing) {
  DetectorDriver driver(at_100());
  driver.read("b", 150);
  ASSERT_TRUE(driver.pin("a"));
  driver.told();
  driver.disable();
  EXPECT_THAT(driver.told(), ElementsAre("demoted a disabled", "demoted b disabled"));
  driver.read_steadily("b", 100, 3s);
  ASSERT_TRUE(driver.pin("c"));
  driver.unpin("a");
  EXPECT_THAT(driver.told(), IsEmpty());
  EXPECT_THAT(driver.hot(), IsEmpty());
}

TEST(KillSwitch, LetsCountingGoOn) {
  DetectorDriver driver(at_100());
  driver.disable();
  driver.read("k", 150);
  EXPECT_EQ(driver.explain("k").figures.count, 150U);
  EXPECT_EQ(driver.detector().stats(driver.ns()).reads, 150U);
}

TEST(KillSwitch, LiftedPromotesPinsAtOnceAndBusyKeysAtTheNextTick) {
  DetectorDriver driver(at_100());
  driver.disable();
  driver.read("busy", 150);
  driver.read("idle", 99);
  ASSERT_TRUE(driver.pin("pinned"));
  ASSERT_TRUE(driver.pin("denied"));
  ASSERT_TRUE(driver.deny("denied"));
  driver.enable();
  EXPECT_THAT(driver.told(), ElementsAre("promoted pinned pinned"));
  driver.run(100ms);
  EXPECT_THAT(driver.told(), ElementsAre("promoted busy rate"));
}

TEST(KillSwitch, EndsByItself) {
  DetectorDriver driver(at_100());
  driver.disable(1s);
  driver.read_steadily("k", 40, 900ms);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.read_steadily("k", 40, 300ms);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(KillSwitch, GivenAgainReplacesItsEnd) {
  DetectorDriver driver(at_100());
  driver.disable(1s);
  driver.disable();
  driver.read_steadily("k", 40, 5s);
  EXPECT_THAT(driver.told(), IsEmpty());
}

TEST(KillSwitch, OfAllHoldsForEveryNamespaceLaterOnesToo) {
  DetectorDriver driver(at_100());
  driver.read("k", 150);
  driver.disable_all(2s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate", "demoted k disabled"));
  const NamespaceId later = *driver.detector().open("later");
  Decisions decisions;
  const Access access{.key = "k", .reads = 500};
  driver.detector().observe(later, {&access, 1}, {}, driver.now(), decisions);
  EXPECT_THAT(decisions, IsEmpty());
  driver.run(1900ms);
  driver.detector().observe(later, {&access, 1}, {}, driver.now(), decisions);
  EXPECT_THAT(decisions, IsEmpty());
  driver.run(100ms);  // It ends, and what is busy is hot at this very tick.
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(KillSwitch, OfTheNamespaceStandsWhileThatOfAllIsGoneAndTheOtherWayRound) {
  DetectorDriver driver(at_100());
  driver.disable();
  driver.disable_all(500ms);
  driver.read_steadily("k", 40, 2s);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.disable_all();
  driver.enable();
  driver.read_steadily("k", 40, 2s);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.enable_all();
  driver.read_steadily("k", 40, 200ms);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(KillSwitch, EnableAllLiftsThoseOfNamespacesToo) {
  DetectorDriver driver(at_100());
  driver.disable();
  driver.read("k", 100);
  driver.enable_all();
  driver.run(100ms);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

}  // namespace
}  // namespace hotkeyd
