#include "wire/drop_ratio.h"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "base/random.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kHuge = (1ULL << 63) - 1;

// Tells totals at times; the answers are the ratios of the rows that come with them.
class Teller {
 public:
  double tell(Duration at, std::uint64_t recorded, std::uint64_t dropped) {
    drops.tell({recorded, dropped}, Time{at});
    return drops.ratio(Time{at});
  }
  DropRatio drops{1};
};

TEST(DropRatio, IsOneForTheFirstTotals) {
  Teller teller;
  EXPECT_EQ(teller.drops.ratio(Time{}), 1);
  EXPECT_EQ(teller.tell(0ms, 100, 50), 1);
}

TEST(DropRatio, IsRecordedByDeliveredSinceTheFirstTotals) {
  Teller teller;
  teller.tell(0ms, 1000, 900);
  EXPECT_EQ(teller.tell(100ms, 1100, 950), 2);
  EXPECT_EQ(teller.tell(200ms, 1200, 1050), 200.0 / 50);
  EXPECT_EQ(teller.tell(300ms, 1300, 1050), 300.0 / 150);
}

TEST(DropRatio, LooksOneSecondBack) {
  Teller teller;
  teller.tell(0ms, 0, 0);
  teller.tell(500ms, 100, 50);
  EXPECT_EQ(teller.tell(1000ms, 200, 100), 2);
  EXPECT_EQ(teller.tell(1500ms, 300, 100), 200.0 / 150);
  EXPECT_EQ(teller.tell(2000ms, 400, 100), 1);
}

TEST(DropRatio, TakesTheLatestTotalsThatAreASecondOld) {
  Teller teller;
  teller.tell(0ms, 10, 0);
  teller.tell(1ms, 20, 0);
  teller.tell(2ms, 30, 0);
  EXPECT_EQ(teller.tell(1002ms, 40, 5), 2);  // Since 2 ms: 10 recorded, 5 of them dropped.
}

TEST(DropRatio, DiffersFromTheLastTotalsAfterAPause) {
  Teller teller;
  teller.tell(0ms, 10, 0);
  EXPECT_EQ(teller.tell(1500ms, 110, 75), 4);
}

// Cut off from 0 to 30 s, it dropped all but the four batches under way; what it says then is of the past.
TEST(DropRatio, ScalesNothingByWhatWasDroppedInALongSilence) {
  Teller teller;
  teller.tell(0ms, 100, 0);
  EXPECT_EQ(teller.tell(30'000ms, 200, 0), 1);
  EXPECT_EQ(teller.tell(30'001ms, 500, 0), 1);
  EXPECT_EQ(teller.tell(30'100ms, 30'100, 29'500), 1);
  EXPECT_EQ(teller.tell(30'200ms, 30'200, 29'500), 1);
  EXPECT_EQ(teller.tell(30'999ms, 30'300, 29'500), 1);
  EXPECT_EQ(teller.tell(31'000ms, 30'400, 29'550), 2);
}

TEST(DropRatio, ScalesNothingForASecondWhenTheProducerWasAtWorkBefore) {
  Teller teller{DropRatio(7)};
  teller.tell(0ms, 700, 0);
  EXPECT_EQ(teller.tell(100ms, 50'000, 49'000), 1);
  EXPECT_EQ(teller.tell(900ms, 50'100, 49'000), 1);
  EXPECT_EQ(teller.tell(1000ms, 50'200, 49'050), 2);
}

TEST(DropRatio, HoldsForASecondWithoutTotals) {
  Teller teller;
  teller.tell(0ms, 0, 0);
  teller.tell(100ms, 100, 50);
  EXPECT_EQ(teller.drops.ratio(Time{1100ms}), 2);
  EXPECT_EQ(teller.drops.ratio(Time{1101ms}), 1);
}

TEST(DropRatio, StopsAtAThousand) {
  Teller teller;
  teller.tell(0ms, 0, 0);
  EXPECT_EQ(teller.tell(10ms, 1000, 999), 1000);
  EXPECT_EQ(teller.tell(20ms, 10'000, 9999), 1000);
  EXPECT_EQ(teller.tell(30ms, kHuge, kHuge - 1), 1000);
}

TEST(DropRatio, IsAThousandWhenNothingWasDelivered) {
  Teller teller;
  teller.tell(0ms, 100, 0);
  EXPECT_EQ(teller.tell(10ms, 200, 100), 1000);
}

TEST(DropRatio, ForgetsTotalsThatCannotBeTrue) {
  struct Case {
    const char* what;
    ReportTotals told;
  };
  for (const auto& [what, told] :
       {Case{"recorded goes back", {149, 20}}, Case{"dropped goes back", {200, 19}},
        Case{"delivered goes back", {151, 22}}, Case{"more dropped", {200, 201}},
        Case{"all dropped and more", {0, kHuge}}}) {
    Teller teller;
    teller.tell(0ms, 100, 0);
    teller.tell(100ms, 150, 20);
    EXPECT_EQ(teller.tell(200ms, told.recorded, told.dropped), 1) << what;
    teller.tell(300ms, 1000, 500);
    EXPECT_EQ(teller.tell(1400ms, 1100, 550), 2) << what;
  }
}

TEST(DropRatio, StartsAnewFromPossibleTotalsAfterAStepBack) {
  Teller teller;
  teller.tell(0ms, 1000, 0);
  EXPECT_EQ(teller.tell(100ms, 10, 0), 1);
  EXPECT_EQ(teller.tell(200ms, 30, 15), 4);
}

// What the header says, with all totals kept.
class EveryTotal {
 public:
  double tell(Duration at, const ReportTotals& totals) {
    while (told_.size() > 1 && told_[1].first <= at - 1s) told_.pop_front();
    told_.emplace_back(at, totals);
    const ReportTotals& from = told_.front().second;
    const auto recorded = static_cast<double>(totals.recorded - from.recorded);
    const auto dropped = static_cast<double>(totals.dropped - from.dropped);
    return told_.size() == 1 || dropped == 0 ? 1 : std::min(1000.0, recorded / (recorded - dropped));
  }

 private:
  std::deque<std::pair<Duration, ReportTotals>> told_;
};

TEST(DropRatio, IsExactForProducersThatReportEach100MsOrMoreSeldom) {
  Random dice(7);
  for (int run = 0; run < 200; ++run) {
    Teller teller;
    EveryTotal model;
    Duration at{};
    ReportTotals totals;
    for (int batch = 0; batch < 100; ++batch) {
      EXPECT_EQ(teller.tell(at, totals.recorded, totals.dropped), model.tell(at, totals));
      at += std::chrono::milliseconds{100 + dice.below(1 + dice.below(1400))};
      const std::uint64_t dropped = dice.below(1 + dice.below(2000));
      totals.recorded += dropped + 1 + dice.below(1000);
      totals.dropped += dropped;
    }
  }
}

TEST(DropRatio, LooksBackAtMost100MsTooFarOfFasterProducers) {
  Random dice(8);
  Teller teller;
  Duration at{};
  ReportTotals totals;
  // All is dropped until 5 s, nothing later.
  for (; at < 10s; at += std::chrono::milliseconds{1 + dice.below(20)}) {
    totals.recorded += 10;
    if (at < 5s) totals.dropped += 5;
    const double ratio = teller.tell(at, totals.recorded, totals.dropped);
    if (at > 100ms && at < 5s) {
      EXPECT_EQ(ratio, 2);
    }
    if (at > 5s + 1s + 100ms + 20ms) {
      EXPECT_EQ(ratio, 1);
    }
  }
}

}  // namespace
}  // namespace hotkeyd
