#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Batches, NotOlderThanTwoSlotsCountNow) {
  DetectorDriver driver(at_100());
  driver.run(5s);
  driver.observe({{"k", 100}}, {.age = 200ms});
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
  driver.run(1s);
  EXPECT_EQ(driver.detector().hot_keys(driver.ns()).front()->figures.count, 100U);
}

TEST(Batches, OlderOnesAreSpreadOverTheSlotsTheyCover) {
  DetectorDriver driver(at_100());
  driver.run(5s);
  driver.observe({{"k", 90}}, {.age = 850ms});  // Ten a slot.
  driver.run(100ms);
  EXPECT_EQ(driver.explain("k").figures.count, 90U);
  driver.run(200ms);
  EXPECT_EQ(driver.explain("k").figures.count, 80U);
  driver.run(500ms);
  EXPECT_EQ(driver.explain("k").figures.count, 30U);
}

TEST(Batches, OlderThanARulesWindowLeaveItTheNewestPart) {
  RuleOptions rule = make_rule("rest", "*", 200);
  rule.window = 500ms;
  DetectorDriver driver(make_options({rule}));
  driver.run(5s);
  driver.observe({{"k", 180}}, {.age = 1s});  // 90 of them within the last half second.
  EXPECT_THAT(driver.told(), IsEmpty());
  driver.observe({{"k", 20}}, {.age = 1s});
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
}

TEST(Batches, ASteadyKeyBelowTheThresholdIsNeverPromotedByACoarseReporter) {
  for (Duration interval = 100ms; interval <= 1s; interval += 50ms) {
    DetectorDriver driver(at_100());
    driver.run(3s);
    double due = 0;
    for (int i = 0; i < 40; ++i) {
      driver.run(interval);
      due += 90 * std::chrono::duration<double>(interval).count();
      const auto count = static_cast<std::uint64_t>(due);
      due -= static_cast<double>(count);
      driver.observe({{"k", count}}, {.age = interval});
    }
    EXPECT_THAT(driver.told(), IsEmpty()) << to_ms(interval);
  }
}

TEST(Batches, OfSamplesAreScaledAndSaySo) {
  DetectorDriver driver(at_100());
  driver.observe({{"k", 15}, {"cold", 5}}, {.factor = 10});
  const Decisions decisions = driver.decisions();
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_EQ(decisions[0].key.figures.count, 150U);
  EXPECT_EQ(decisions[0].key.figures.sample, 10U);
  EXPECT_EQ(decisions[0].key.figures.error, 74U);  // 2 sqrt(9 * 150), rounded up.
  EXPECT_EQ(driver.detector().stats(driver.ns()).reads, 200U);
}

TEST(Batches, LostAccessesOfTheWindowAreInEveryError) {
  DetectorDriver driver(at_100());
  driver.observe({{"other", 1}}, {.lost = 40});
  driver.read("k", 100);
  EXPECT_EQ(driver.decisions().front().key.figures.error, 40U);
  driver.read_steadily("k", 10, 900ms);
  EXPECT_EQ(driver.explain("k").figures.error, 40U);
  driver.read_steadily("k", 10, 100ms);  // Ten slots and the one that has just begun.
  EXPECT_EQ(driver.explain("k").figures.error, 40U);
  driver.read_steadily("k", 10, 100ms);
  EXPECT_EQ(driver.explain("k").figures.error, 0U);
}

TEST(Batches, LostAccessesLeaveTheWindowAlsoWhereATickIsMissing) {
  DetectorDriver driver(at_100());
  driver.observe({{"other", 1}}, {.lost = 40});
  driver.read_steadily("k", 10, 1s);
  EXPECT_EQ(driver.explain("k").figures.error, 40U);
  driver.jump(200ms);
  driver.tick();
  EXPECT_EQ(driver.explain("k").figures.error, 0U);
}

TEST(Batches, OfSamplesBoundTheErrorOfKeysWithoutARecordToo) {
  DetectorDriver driver(at_100());
  driver.observe({{"cold", 1}}, {.factor = 4});
  driver.run(100ms);
  driver.observe({{"cold", 1}}, {.factor = 10});
  const KeyFigures figures = driver.explain("cold").figures;
  EXPECT_EQ(figures.count, 14U);
  EXPECT_EQ(figures.sample, 10U);
  EXPECT_EQ(figures.error, 21U);  // 2 sqrt(3 * 4 + 9 * 10), rounded up.
}

TEST(Batches, OfHugeLossesMakeTheErrorHugeAndNothingElse) {
  DetectorDriver driver(at_100());
  for (int i = 0; i < 3; ++i) driver.observe({{"k", 1}}, {.lost = UINT64_MAX});
  EXPECT_EQ(driver.explain("k").figures.error, UINT32_MAX);
  EXPECT_EQ(driver.explain("k").figures.count, 3U);
}

TEST(Batches, ScaledTotalsLoseNothing) {
  DetectorDriver driver(at_100());
  for (int i = 0; i < 10; ++i) driver.observe({{"k", 1, 1, 1, 1}}, {.factor = 1.25});
  const NamespaceStats stats = driver.detector().stats(driver.ns());
  EXPECT_EQ(stats.reads, 12U);
  EXPECT_EQ(stats.writes, 12U);
  EXPECT_EQ(stats.misses, 12U);
  EXPECT_EQ(stats.local_hits, 12U);
}

TEST(Batches, ColumnsSaturateAtTheLargest32BitNumber) {
  DetectorDriver driver(at_100());
  driver.observe({{"k", std::uint64_t{1} << 40, 3, std::uint64_t{1} << 39, 5}, {"l", 1}});
  const NamespaceStats stats = driver.detector().stats(driver.ns());
  EXPECT_EQ(stats.reads, std::uint64_t{UINT32_MAX} + 1);
  EXPECT_EQ(stats.writes, 3U);
  EXPECT_EQ(stats.misses, UINT32_MAX);
  EXPECT_EQ(stats.local_hits, 5U);
}

TEST(Batches, OfAnySizeAreCountedWhole) {
  DetectorDriver driver(at_100());
  std::vector<Access> rows(5000, Access{.key = "k", .reads = 1});
  driver.observe(rows);
  EXPECT_EQ(driver.detector().stats(driver.ns()).reads, 5000U);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate"));
  driver.run(100ms);
  EXPECT_EQ(driver.explain("k").figures.count, 5000U);
}

}  // namespace
}  // namespace hotkeyd
