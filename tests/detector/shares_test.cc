#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

DetectorOptions with_share(double rate = 1'000'000) {
  RuleOptions rule = make_rule("rest", "*", rate);
  rule.promote.share = 0.1;
  return make_options({rule});
}

// Other traffic of 4000 accesses a second over keys of 40 each.
void background(DetectorDriver& driver, Duration duration) {
  for (Duration passed{}; passed < duration; passed += 100ms) {
    for (int i = 0; i < 100; ++i) driver.read("other:" + std::to_string(i), 4);
    driver.run(100ms);
  }
}

TEST(Shares, AboveTheRulesShareAKeyIsHotAndAboveTheFloorAloneItIsNot) {
  DetectorDriver driver(with_share());
  background(driver, 2s);
  driver.read("medium", 150);
  driver.read("big", 1500);
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_EQ(sentence(decisions.front()), "promoted big share");
  EXPECT_NEAR(decisions.front().key.figures.share, 1500.0 / (3600 + 150 + 1500), 1e-9);
}

TEST(Shares, MeanNothingBelowTheFloor) {
  DetectorDriver driver(with_share());
  driver.read("lonely", 99);
  driver.run(3s);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.read("lonely", 100);
  EXPECT_THAT(driver.told(), ElementsAre("promoted lonely share"));
}

TEST(Shares, AreAlsoJudgedAtTicks) {
  DetectorDriver driver(with_share());
  background(driver, 2s);
  driver.read("k", 300);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.run(900ms);  // The other traffic ends; the share grows without an access.
  EXPECT_THAT(driver.told(), ElementsAre("promoted k share"));
}

TEST(Shares, AKeyLeavesBelowSevenTenthsOfTheShare) {
  DetectorDriver driver(with_share());
  const auto run = [&driver](std::uint64_t per_slot, Duration duration) {
    for (Duration passed{}; passed < duration; passed += 100ms) {
      driver.read("k", per_slot);
      for (int i = 0; i < 100; ++i) driver.read("other:" + std::to_string(i), 4);
      driver.run(100ms);
    }
  };
  run(60, 3s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k share"));
  run(31, 10s);  // 31 / 431 = 7.2 %
  EXPECT_THAT(driver.told(), IsEmpty());
  run(30, 4s);  // 30 / 430 = 6.98 %
  EXPECT_THAT(driver.told(), ElementsAre("demoted k cooled"));
}

TEST(Shares, AKeyLeavesBelowTheFloorsWayOut) {
  DetectorDriver driver(with_share());
  driver.read("lonely", 100);
  driver.read_steadily("lonely", 6, 10s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted lonely share"));
  driver.read_steadily("lonely", 5, 4s);
  EXPECT_THAT(driver.told(), ElementsAre("demoted lonely cooled"));
}

TEST(Shares, BesideARateEitherIsEnough) {
  DetectorDriver driver(with_share(1000));
  background(driver, 2s);
  driver.read("k", 1000);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Shares, FailedTriesDoNotDelayTheRate) {
  DetectorDriver driver(with_share(1000));
  for (int i = 0; i < 300; ++i) driver.read("other:" + std::to_string(i), 40);
  for (int i = 0; i < 999; ++i) driver.read("k", 1);
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.read("k", 1);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

}  // namespace
}  // namespace hotkeyd
