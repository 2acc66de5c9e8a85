// Producers that drop at random, scaled by what they say of it (TOTALS): what the detector shows is the
// truth, within the error it states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include "tests/support/detector_driver.h"
#include "tests/support/zipf.h"
#include "wire/ledger.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kSlots = 10;

// Records accesses of a few keys and drops each with one probability, as an SDK whose tables are full.
class DroppingProducer {
 public:
  DroppingProducer(std::string name, double dropped_share) : name_(std::move(name)), share_(dropped_share) {}

  // A batch of 100 ms: what is left of `recorded` (accesses per key).
  void send(const std::vector<std::uint64_t>& recorded, Ledger& ledger, DetectorDriver& driver,
            Random& dice) {
    std::vector<Access> rows;
    LedgerEntry entry{.producer = name_, .epoch = 1, .seq = ++seq_, .totals = {}, .now = driver.now().steady};
    for (std::size_t key = 0; key < recorded.size(); ++key) {
      std::uint64_t kept = 0;
      for (std::uint64_t i = 0; i < recorded[key]; ++i)
        kept += static_cast<std::uint64_t>(dice.fraction() >= share_);
      totals_.recorded += recorded[key];
      totals_.dropped += recorded[key] - kept;
      entry.accesses += kept;
      rows.push_back({.key = keys_[key], .reads = kept});
    }
    entry.totals = totals_;
    driver.observe(rows, {.factor = ledger.admit(entry).drop_ratio});
  }

 private:
  std::string name_;
  double share_;
  std::uint64_t seq_ = 0;
  ReportTotals totals_;
  std::vector<std::string> keys_{"k0", "k1", "k2", "k3"};
};

// How often the truth was outside the bounds, and by how much the shown counts differ from it on the whole.
struct Deviation {
  std::size_t looks = 0;
  std::size_t outside = 0;
  double shown = 0;
  double truth = 0;
};

void compare(DetectorDriver& driver, const std::deque<std::vector<std::uint64_t>>& window, Deviation& out) {
  for (std::size_t key = 0; key < window.front().size(); ++key) {
    const auto shown = driver.detector().explain(driver.ns(), "k" + std::to_string(key), driver.now());
    ASSERT_TRUE(shown);
    double truth = 0;
    for (const auto& slot : window) truth += static_cast<double>(slot[key]);
    const auto count = static_cast<double>(shown->figures.count);
    ++out.looks;
    if (std::abs(count - truth) > static_cast<double>(shown->figures.error)) ++out.outside;
    out.shown += count;
    out.truth += truth;
  }
}

// Ten seconds of producers that drop these shares, looked at after each slot from the third second on.
void simulate(const std::vector<double>& dropped_shares, std::uint64_t seed, Deviation& out) {
  DetectorDriver driver(make_options({make_rule("rest", "*", 4)}));
  Ledger ledger;
  Random dice(seed);
  std::vector<DroppingProducer> producers;
  for (const double share : dropped_shares) {
    producers.emplace_back("p" + std::to_string(producers.size()), share);
  }
  std::deque<std::vector<std::uint64_t>> window;
  driver.run(50ms);
  for (int slot = 0; slot < 100; ++slot) {
    std::vector<std::uint64_t> in_slot(4);
    for (DroppingProducer& producer : producers) {
      std::vector<std::uint64_t> recorded;
      for (const double mean : {300.0, 60.0, 15.0, 3.0}) recorded.push_back(poisson(mean, dice));
      for (std::size_t key = 0; key < recorded.size(); ++key) in_slot[key] += recorded[key];
      producer.send(recorded, ledger, driver, dice);
    }
    window.push_back(in_slot);
    if (window.size() > kSlots) window.pop_front();
    driver.run(100ms);
    if (slot >= 30) compare(driver, window, out);
  }
}

TEST(DroppingProducers, AreScaledWithoutBias) {
  Deviation all;
  Random dice(11);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    simulate({0, 0.9 * dice.fraction(), 0.9 * dice.fraction()}, seed, all);
  }
  EXPECT_NEAR(all.shown / all.truth, 1, 0.002);
}

TEST(DroppingProducers, HaveTheirTrueRatesWithinTheError) {
  for (const double share : {0.0, 0.1, 0.5, 0.8, 0.95}) {
    Deviation all;
    for (std::uint64_t seed = 0; seed < 20; ++seed) simulate({share, share, share}, 1000 + seed, all);
    EXPECT_LE(static_cast<double>(all.outside), 0.05 * static_cast<double>(all.looks)) << share;
    if (share == 0) {
      EXPECT_EQ(all.outside, 0U);
    }
  }
}

}  // namespace
}  // namespace hotkeyd
