#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ClockJump, FiresNothingAndABusyKeyStaysHot) {
  DetectorDriver driver(at_100());
  driver.read_steadily("k", 20, 2s);
  driver.told();
  driver.jump(1h);
  driver.tick();
  driver.read_steadily("k", 20, 5s);
  EXPECT_THAT(driver.told(), IsEmpty());
}

TEST(ClockJump, AgesTheCountsOnce) {
  DetectorDriver driver(at_100());
  driver.read("k", 99);
  driver.jump(30s);
  driver.read("k", 99);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.read("k", 1);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(ClockJump, SuspendsCoolingUntilAWholeWindowWasSeen) {
  DetectorDriver driver(at_100());
  driver.read("k", 150);
  driver.told();
  driver.run(1500ms);  // Below since 1.1 s.
  driver.jump(10s);
  driver.tick();
  driver.run(1900ms);  // A window and nearly `after`.
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.run(100ms);
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
}

TEST(ClockJump, IntoTheMiddleOfASlotDoesNotCountThatSlotAsSeen) {
  DetectorDriver driver(at_100());
  driver.read("k", 150);
  driver.told();
  driver.jump(10s + 50ms);
  driver.tick();
  driver.run(2s);  // Until 12.0 s; seen from 10.1 s on, below since 11.1 s.
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.run(50ms);
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
}

TEST(ClockJump, OfTwoSlotsIsNone) {
  DetectorDriver driver(at_100());
  driver.read("k", 150);
  for (int i = 0; i < 20; ++i) {
    driver.jump(200ms);
    driver.tick();
  }
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate", "demoted k cooled"));
}

TEST(ClockJump, OfThreeSlotsSuspendsCooling) {
  DetectorDriver driver(at_100());
  driver.read("k", 150);
  for (int i = 0; i < 20; ++i) {
    driver.jump(300ms);
    driver.tick();
  }
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(ClockJump, BackwardsChangesNothing) {
  DetectorDriver driver(at_100());
  driver.run(5s);
  driver.read("k", 50);
  driver.jump(-3s);
  driver.tick();
  driver.read("k", 50);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(ClockJump, DoesNotEndTheCountsOfALongWindow) {
  RuleOptions pages = make_rule("pages", "*", 10);
  pages.window = 60s;
  DetectorDriver driver(make_options({pages}));
  driver.read("k", 599);
  driver.jump(3s);
  driver.tick();
  driver.read("k", 1);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(NewNamespace, CoolsOnlyAfterAWholeWindowWasSeen) {
  RuleOptions rule = make_rule("rest", "*", 100);
  rule.window = 10s;
  rule.promote.rate = 10;
  rule.demote.after = 0s;
  DetectorDriver driver(make_options({rule}));
  ASSERT_TRUE(driver.pin("k"));
  driver.read("k", 100);
  driver.unpin("k");
  driver.run(9900ms);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k pinned", "updated k unpinned"));
}

}  // namespace
}  // namespace hotkeyd
