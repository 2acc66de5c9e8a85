#include "wire/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"

namespace hotkeyd {
namespace {

using Numbers = std::vector<std::uint64_t>;

// verdict, lost batches, lost accesses
std::string said(const LedgerOutcome& outcome) {
  const char* verdict = outcome.verdict == Verdict::counts ? "counts"
                        : outcome.verdict == Verdict::old  ? "old"
                                                           : "repeated";
  return std::string(verdict) + ' ' + std::to_string(outcome.lost_batches) + ' ' +
         std::to_string(outcome.lost_accesses);
}

std::string admit(Ledger& ledger, std::uint64_t epoch, std::uint64_t seq, std::string_view producer = "p") {
  const Verdict before = ledger.peek(producer, epoch, seq);
  const auto outcome =
      ledger.admit({.producer = producer, .epoch = epoch, .seq = seq, .accesses = 1, .totals = {}});
  EXPECT_EQ(before, outcome.verdict);
  return said(outcome);
}

std::string admit_ten(Ledger& ledger, std::uint64_t seq) {
  return said(ledger.admit(
      {.producer = "p", .epoch = 1, .seq = seq, .accesses = 10, .totals = ReportTotals{10 * seq, 0}}));
}

TEST(Ledger, FollowsTheExampleOfTheContract) {
  Ledger ledger;
  EXPECT_EQ(admit_ten(ledger, 3), "counts 0 0");
  EXPECT_EQ(admit_ten(ledger, 1), "counts 0 0");
  EXPECT_EQ(admit_ten(ledger, 2), "counts 0 0");
  EXPECT_EQ(admit_ten(ledger, 2), "repeated 0 0");
  EXPECT_EQ(admit_ten(ledger, 70), "counts 3 0");
  Ledger restarted;
  EXPECT_EQ(admit_ten(restarted, 71), "counts 0 0");
  EXPECT_EQ(admit_ten(restarted, 72), "counts 0 0");
}

TEST(Ledger, KnowsTheAccessesOfTheExampleOnceNothingIsAwaited) {
  Ledger ledger;
  for (const std::uint64_t seq : {3U, 1U, 2U, 70U}) admit_ten(ledger, seq);
  for (std::uint64_t seq = 7; seq < 69; ++seq) EXPECT_EQ(admit_ten(ledger, seq), "counts 0 0");
  EXPECT_EQ(admit_ten(ledger, 69), "counts 0 30");
  EXPECT_EQ(admit_ten(ledger, 71), "counts 0 0");
}

TEST(Ledger, CountsEachOfTheLast64NumbersOnce) {
  Ledger ledger;
  EXPECT_EQ(admit(ledger, 1, 100), "counts 0 0");
  EXPECT_EQ(admit(ledger, 1, 37), "counts 0 0");
  EXPECT_EQ(admit(ledger, 1, 37), "repeated 0 0");
  EXPECT_EQ(admit(ledger, 1, 36), "old 0 0");
  EXPECT_EQ(admit(ledger, 1, 100), "repeated 0 0");
  EXPECT_EQ(admit(ledger, 1, 1), "old 0 0");
}

TEST(Ledger, LosesWhatLeavesTheWindowWithoutHavingCome) {
  Ledger ledger;
  for (const std::uint64_t seq : {5000U, 5004U}) admit(ledger, 1, seq);
  EXPECT_EQ(admit(ledger, 1, 5064), "counts 0 0");
  EXPECT_EQ(admit(ledger, 1, 5065), "counts 1 0");
  EXPECT_EQ(admit(ledger, 1, 5067), "counts 2 0");
  EXPECT_EQ(admit(ledger, 1, 5068), "counts 0 0");
  EXPECT_EQ(admit(ledger, 1, 5003), "old 0 0");
}

TEST(Ledger, LosesEverythingAFarJumpLeavesBehind) {
  Ledger ledger;
  admit(ledger, 1, 10);
  admit(ledger, 1, 12);
  EXPECT_EQ(admit(ledger, 1, 1'000'000), "counts 999925 0");  // 11 and 13 to 999,936.
  EXPECT_EQ(admit(ledger, 1, 1'000'063), "counts 63 0");
  const std::uint64_t last = (1ULL << 63) - 1;
  EXPECT_EQ(admit(ledger, 1, last), "counts " + std::to_string(last - 64 - 999'999 - 2) + " 0");
}

TEST(Ledger, AwaitsNothingBelowTheFirstNumber) {
  Ledger ledger;
  admit(ledger, 1, 40);
  EXPECT_EQ(admit(ledger, 1, 200), "counts 96 0");  // 41 to 136.
  EXPECT_EQ(admit(ledger, 2, 1), "counts 63 0");
}

TEST(Ledger, TakesANumberOfZeroLikeAnyOther) {
  Ledger ledger;
  EXPECT_EQ(admit_ten(ledger, 0), "counts 0 0");
  EXPECT_EQ(admit_ten(ledger, 0), "repeated 0 0");
  EXPECT_EQ(admit(ledger, 1, 2), "counts 0 0");
  EXPECT_EQ(admit(ledger, 1, 65), "counts 1 0");
  EXPECT_EQ(admit(ledger, 1, 0), "old 0 0");
}

TEST(Ledger, StartsANewEpochAndRefusesTheOldOne) {
  Ledger ledger;
  for (const std::uint64_t seq : {1U, 3U, 6U}) admit(ledger, 1, seq);
  EXPECT_EQ(admit(ledger, 2, 1), "counts 3 0");
  EXPECT_EQ(admit(ledger, 1, 2), "old 0 0");
  EXPECT_EQ(admit(ledger, 1, 7), "old 0 0");
  EXPECT_EQ(admit(ledger, 2, 1), "repeated 0 0");
  EXPECT_EQ(admit(ledger, 2, 2), "counts 0 0");
}

TEST(Ledger, KnowsTheAwaitedAccessesWhenTheEpochEnds) {
  Ledger ledger;
  admit_ten(ledger, 1);
  EXPECT_EQ(admit_ten(ledger, 5), "counts 0 0");
  EXPECT_EQ(admit(ledger, 2, 1), "counts 3 30");
}

TEST(Ledger, AccountsForEachEpochByItself) {
  Ledger ledger;
  const auto admit = [&](std::uint64_t epoch, std::uint64_t seq, std::uint64_t accesses,
                         std::uint64_t recorded) {
    return said(ledger.admit({.producer = "p",
                              .epoch = epoch,
                              .seq = seq,
                              .accesses = accesses,
                              .totals = ReportTotals{recorded, 0}}));
  };
  EXPECT_EQ(admit(1, 1, 1000, 1000), "counts 0 0");
  EXPECT_EQ(admit(2, 1, 10, 10), "counts 0 0");
  EXPECT_EQ(admit(2, 3, 10, 30), "counts 0 0");
  EXPECT_EQ(admit(3, 1, 10, 10), "counts 1 10");
}

TEST(Ledger, KeepsProducersApart) {
  Ledger ledger;
  EXPECT_EQ(admit(ledger, 1, 1, "a"), "counts 0 0");
  EXPECT_EQ(admit(ledger, 1, 1, "b"), "counts 0 0");
  EXPECT_EQ(admit(ledger, 1, 1, "a"), "repeated 0 0");
  EXPECT_EQ(ledger.producers(), 2U);
}

TEST(Ledger, SubtractsWhatTheProducerDropped) {
  Ledger ledger;
  const auto admit_dropped = [&](std::uint64_t seq, std::uint64_t accesses, std::uint64_t recorded,
                                 std::uint64_t dropped) {
    return said(ledger.admit({.producer = "p",
                              .epoch = 1,
                              .seq = seq,
                              .accesses = accesses,
                              .totals = ReportTotals{recorded, dropped}}));
  };
  EXPECT_EQ(admit_dropped(1, 10, 10, 0), "counts 0 0");
  EXPECT_EQ(admit_dropped(2, 10, 120, 100), "counts 0 0");
  EXPECT_EQ(admit_dropped(3, 10, 135, 100), "counts 0 5");
  EXPECT_EQ(admit_dropped(4, 10, 145, 100), "counts 0 0");
  EXPECT_EQ(admit_dropped(5, 100, 155, 100),
            "counts 0 0");  // More came than was told: never a negative loss.
  EXPECT_EQ(admit_dropped(6, 10, 300, 100),
            "counts 0 45");  // 200 were sent, 150 came, 5 are known.
}

TEST(Ledger, TellsOnceWhatTheProducerDropped) {
  Ledger ledger;
  const auto dropped = [&](std::string_view producer, std::uint64_t seq, std::uint64_t total) {
    const ReportTotals totals{1000, total};
    return ledger.admit({.producer = producer, .epoch = 1, .seq = seq, .accesses = 0, .totals = totals})
        .dropped_accesses;
  };
  EXPECT_EQ(dropped("new", 1, 7), 7U);
  EXPECT_EQ(dropped("new", 3, 10), 3U);
  EXPECT_EQ(dropped("new", 2, 8), 0U);  // Not the largest.
  EXPECT_EQ(dropped("new", 4, 10), 0U);
  EXPECT_EQ(dropped("new", 5, 4), 0U);
  EXPECT_EQ(dropped("new", 6, 12), 2U);
  EXPECT_EQ(dropped("known before a restart", 70, 500), 0U);
  EXPECT_EQ(dropped("known before a restart", 71, 501), 1U);
  EXPECT_EQ(dropped("whose first batch was before it", 2, 500), 0U);
}

TEST(Ledger, WaitsForTotalsOfTheLargestNumber) {
  Ledger ledger;
  admit_ten(ledger, 1);
  EXPECT_EQ(admit(ledger, 1, 2), "counts 0 0");  // Without totals.
  EXPECT_EQ(admit_ten(ledger, 3), "counts 0 9");
}

TEST(Ledger, SetsTheBaseFromTheFirstTotalsOnly) {
  Ledger ledger;
  EXPECT_EQ(admit(ledger, 1, 5), "counts 0 0");
  EXPECT_EQ(admit_ten(ledger, 4), "counts 0 0");   // Not the largest: it cannot tell what 5 holds.
  EXPECT_EQ(admit_ten(ledger, 20), "counts 0 0");  // 6 to 19 belong to the base...
  for (std::uint64_t seq = 6; seq < 20; ++seq)
    EXPECT_EQ(admit_ten(ledger, seq), "counts 0 0");  // ...which shrinks.
  EXPECT_EQ(admit_ten(ledger, 22), "counts 0 0");
  EXPECT_EQ(admit_ten(ledger, 22 + 64), "counts 1 0");
}

TEST(Ledger, SurvivesTotalsThatCannotBeTrue) {
  Ledger ledger;
  constexpr std::uint64_t kLargest = (1ULL << 63) - 1;
  const auto tell = [&](std::uint64_t seq, std::uint64_t accesses, ReportTotals totals) {
    return said(
        ledger.admit({.producer = "p", .epoch = 1, .seq = seq, .accesses = accesses, .totals = totals}));
  };
  EXPECT_EQ(tell(1, 0, {0, kLargest}), "counts 0 0");
  EXPECT_EQ(tell(2, 0, {kLargest, 0}), "counts 0 9223372036854775807");
  EXPECT_EQ(tell(3, ~0ULL, {0, 0}), "counts 0 0");
  EXPECT_EQ(tell(4, ~0ULL, {kLargest, 0}), "counts 0 0");
}

TEST(Ledger, ForgetsTheLongestIdleProducer) {
  Ledger ledger(3);
  for (const std::string_view name : {"a", "b", "c"}) admit(ledger, 1, 1, name);
  EXPECT_EQ(admit(ledger, 1, 1, "a"), "repeated 0 0");
  EXPECT_EQ(admit(ledger, 1, 1, "d"), "counts 0 0");  // b goes.
  EXPECT_EQ(ledger.producers(), 3U);
  EXPECT_EQ(admit(ledger, 1, 1, "a"), "repeated 0 0");
  EXPECT_EQ(admit(ledger, 1, 1, "c"), "repeated 0 0");
  EXPECT_EQ(admit(ledger, 1, 1, "d"), "repeated 0 0");
  EXPECT_EQ(admit(ledger, 1, 1, "b"), "counts 0 0");
}

TEST(Ledger, LosesWhatAForgottenProducerStillOwed) {
  Ledger ledger(1);
  admit_ten(ledger, 1);
  admit_ten(ledger, 4);
  EXPECT_EQ(admit(ledger, 1, 1, "other"), "counts 2 20");
  EXPECT_EQ(admit(ledger, 1, 1, "third"), "counts 0 0");
}

TEST(Ledger, RemembersTheLatestTenThousandProducers) {
  Ledger ledger;
  for (int i = 0; i < 12'000; ++i) EXPECT_EQ(admit(ledger, 1, 1, "app-" + std::to_string(i)), "counts 0 0");
  EXPECT_EQ(ledger.producers(), 10'000U);
  for (int i = 2'000; i < 12'000; ++i)
    EXPECT_EQ(admit(ledger, 1, 1, "app-" + std::to_string(i)), "repeated 0 0");
}

// The contract's sentences, computed anew from everything that came.
class Model {
 public:
  explicit Model(const Numbers& accesses) : accesses_(accesses) {}

  std::string admit(std::uint64_t seq) {
    if (came_.empty()) first_ = seq;
    const std::uint64_t largest = came_.empty() ? seq : *came_.rbegin();
    if (came_.contains(seq)) return came_.empty() || seq + 64 > largest ? "repeated 0 0" : "old 0 0";
    if (seq + 64 <= largest) return "old 0 0";
    came_.insert(seq);
    const auto batches = missing(oldest() - 1).size();
    const std::uint64_t fresh_batches = batches - std::exchange(told_batches_, batches);
    std::uint64_t accesses = told_accesses_;
    if (missing(*came_.rbegin()).size() == batches) accesses = sum(missing(*came_.rbegin()));
    const std::uint64_t fresh_accesses = accesses - std::exchange(told_accesses_, accesses);
    return "counts " + std::to_string(fresh_batches) + ' ' + std::to_string(fresh_accesses);
  }

 private:
  std::uint64_t oldest() const { return *came_.rbegin() < 64 ? 1 : *came_.rbegin() - 63; }

  // Numbers above the first one up to `last` that did not come.
  Numbers missing(std::uint64_t last) const {
    Numbers numbers;
    for (std::uint64_t seq = first_ + 1; seq <= last; ++seq) {
      if (!came_.contains(seq)) numbers.push_back(seq);
    }
    return numbers;
  }
  std::uint64_t sum(const Numbers& numbers) const {
    return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0},
                           [&](std::uint64_t total, std::uint64_t seq) { return total + accesses_[seq]; });
  }

  const Numbers& accesses_;
  std::uint64_t first_ = 0;
  std::set<std::uint64_t> came_;
  std::uint64_t told_batches_ = 0;
  std::uint64_t told_accesses_ = 0;
};

// 300 numbers, some lost, some twice, each up to `jitter` places late.
Numbers shuffled(Random& random, double jitter) {
  std::multimap<double, std::uint64_t> order;
  for (std::uint64_t seq = 1; seq <= 300; ++seq) {
    for (std::uint32_t times = random.below(20) == 0 ? 0 : 1 + random.below(5) / 4; times > 0; --times) {
      order.emplace(static_cast<double>(seq) + random.fraction() * jitter, seq);
    }
  }
  Numbers numbers;
  for (const auto& [when, seq] : order) numbers.push_back(seq);
  return numbers;
}

TEST(Ledger, AgreesWithTheModelOnRandomOrders) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    Numbers accesses(301);
    Numbers recorded(301);
    Numbers dropped(301);
    for (std::size_t seq = 1; seq <= 300; ++seq) {
      const std::uint64_t drops = random.below(3);
      accesses[seq] = random.below(50);
      dropped[seq] = dropped[seq - 1] + drops;
      recorded[seq] = recorded[seq - 1] + drops + accesses[seq];
    }
    Ledger ledger;
    Model model(accesses);
    for (const std::uint64_t seq : shuffled(random, seed % 3 == 0 ? 3 : seed % 3 == 1 ? 60 : 130)) {
      const LedgerEntry entry{.producer = "p",
                              .epoch = 9,
                              .seq = seq,
                              .accesses = accesses[seq],
                              .totals = ReportTotals{recorded[seq], dropped[seq]}};
      ASSERT_EQ(said(ledger.admit(entry)), model.admit(seq)) << "seed " << seed << " seq " << seq;
    }
  }
}

// The ratio of a batch of producer p, a millisecond per number.
double ratio_of(Ledger& ledger, std::uint64_t epoch, std::uint64_t seq, std::optional<ReportTotals> totals,
                std::string_view producer = "p") {
  return ledger
      .admit({.producer = producer,
              .epoch = epoch,
              .seq = seq,
              .accesses = 1,
              .totals = totals,
              .now = Time{std::chrono::milliseconds{seq}}})
      .drop_ratio;
}

TEST(Ledger, KnowsTheRatioOfDropsOfEachProducer) {
  Ledger ledger;
  EXPECT_EQ(ratio_of(ledger, 1, 1, ReportTotals{10, 5}), 1);
  EXPECT_EQ(ratio_of(ledger, 1, 1, ReportTotals{10, 0}, "q"), 1);
  EXPECT_EQ(ratio_of(ledger, 1, 2, ReportTotals{20, 10}), 2);
  EXPECT_EQ(ratio_of(ledger, 1, 2, ReportTotals{20, 0}, "q"), 1);
}

TEST(Ledger, TakesTheRatioFromTheLargestNumbersOnly) {
  Ledger ledger;
  ratio_of(ledger, 1, 1, ReportTotals{100, 0});
  EXPECT_EQ(ratio_of(ledger, 1, 20, ReportTotals{200, 50}), 2);
  EXPECT_EQ(ratio_of(ledger, 1, 15, ReportTotals{150, 0}), 2) << "not the largest: nothing new";
  EXPECT_EQ(ratio_of(ledger, 1, 16, std::nullopt), 2) << "tells nothing: as told before";
  EXPECT_EQ(ratio_of(ledger, 1, 21, ReportTotals{300, 100}), 2) << "since 1: 200 recorded, 100 dropped";
  EXPECT_EQ(ratio_of(ledger, 1, 21, ReportTotals{900, 700}), 1) << "seen before: nothing counts";
}

TEST(Ledger, StartsTheRatioAnewWithTheEpoch) {
  Ledger ledger;
  ratio_of(ledger, 1, 1, ReportTotals{10, 5});
  EXPECT_EQ(ratio_of(ledger, 1, 2, ReportTotals{20, 10}), 2);
  EXPECT_EQ(ratio_of(ledger, 2, 1, ReportTotals{30, 20}), 1);
  EXPECT_EQ(ratio_of(ledger, 2, 2, ReportTotals{60, 30}), 1.5);
}

TEST(Ledger, ScalesNothingForASecondWhenAnEpochBeginsInTheMiddle) {
  Ledger ledger;
  ratio_of(ledger, 1, 500, ReportTotals{1000, 0});
  EXPECT_EQ(ratio_of(ledger, 1, 501, ReportTotals{9000, 7900}), 1);
  EXPECT_EQ(ratio_of(ledger, 1, 1500, ReportTotals{9200, 8000}), 2);
}

}  // namespace
}  // namespace hotkeyd
