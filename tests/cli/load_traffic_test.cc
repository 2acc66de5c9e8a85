#include "cli/load_traffic.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "cli/zipf.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

// How often each rank comes in `draws`.
std::vector<double> frequencies(std::uint64_t size, double exponent, int draws) {
  const ZipfSampler zipf(size, exponent);
  Random random(1);
  std::vector<double> found(size + 1, 0);
  for (int i = 0; i < draws; ++i) found.at(zipf.sample(random)) += 1.0 / draws;
  return found;
}

TEST(ZipfSampler, DrawsRanksByTheirWeights) {
  constexpr int kDraws = 200'000;
  for (const double exponent : {0.0, 0.5, 1.0, 1.1, 2.5}) {
    const auto found = frequencies(50, exponent, kDraws);
    double total = 0;
    for (int rank = 1; rank <= 50; ++rank) total += std::pow(rank, -exponent);
    for (int rank = 1; rank <= 50; ++rank) {
      const double expected = std::pow(rank, -exponent) / total;
      const double tolerance = 5 * std::sqrt(expected / kDraws) + 1e-5;
      EXPECT_NEAR(found[static_cast<std::size_t>(rank)], expected, tolerance)
          << "rank " << rank << " exponent " << exponent;
    }
  }
}

TEST(ZipfSampler, StaysWithinItsSize) {
  Random random(2);
  const ZipfSampler one(1, 1.1);
  const ZipfSampler many(1'000'000'000, 0.9);
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_EQ(one.sample(random), 1U);
    const auto rank = many.sample(random);
    ASSERT_GE(rank, 1U);
    ASSERT_LE(rank, 1'000'000'000U);
  }
}

LoadOptions sale_options() {
  LoadOptions options;
  options.processes = 4;
  options.keys = 100;
  options.rate = 4000;
  options.duration = 10s;
  options.sale_at = 2s;
  options.sale_end = 4s;
  options.sale_share = 0.5;
  return options;
}

TEST(LoadTraffic, MakesTheShareOfTheRateOfOneProcess) {
  LoadTraffic traffic(sale_options(), 0);
  EXPECT_EQ(traffic.due(-1s), 0U);
  EXPECT_EQ(traffic.due(10ms), 10U);
  EXPECT_EQ(traffic.due(10ms), 0U);
  EXPECT_EQ(traffic.due(50ms), 40U);
}

TEST(LoadTraffic, LeavesOutWhatItIsTooFarBehindWith) {
  LoadTraffic traffic(sale_options(), 0);
  EXPECT_EQ(traffic.due(5s), 101U);
  EXPECT_EQ(traffic.due(5s + 1ms), 1U);
}

TEST(LoadTraffic, EndsWithItsDuration) {
  LoadTraffic traffic(sale_options(), 0);
  traffic.due(9'999ms);
  EXPECT_EQ(traffic.due(20s), 1U);
  EXPECT_EQ(traffic.due(30s), 0U);
}

std::uint64_t made_together(const LoadOptions& options) {
  std::uint64_t made = 0;
  for (std::uint32_t worker = 0; worker < options.processes; ++worker) {
    LoadTraffic traffic(options, worker);
    for (auto now = 0ms; now <= options.duration; now += 1ms) made += traffic.due(now);
  }
  return made;
}

TEST(LoadTraffic, AllProcessesTogetherMakeExactlyTheRate) {
  for (const std::uint32_t processes : {1U, 3U, 4U, 64U}) {
    for (const std::uint64_t rate : {1U, 2U, 3U, 5U, 63U, 64U, 65U, 1'001U, 200'003U}) {
      LoadOptions options;
      options.processes = processes;
      options.rate = rate;
      options.keys = 1;
      options.duration = 3s;
      EXPECT_EQ(made_together(options), 3 * rate) << processes << " processes at " << rate << "/s";
    }
  }
}

TEST(LoadTraffic, OneOfManyProcessesMakesTheFirstAccess) {
  LoadOptions options;
  options.processes = 4;
  options.rate = 1;
  EXPECT_EQ(LoadTraffic(options, 0).due(999ms), 0U);
  EXPECT_EQ(LoadTraffic(options, 0).due(1s), 1U);
  EXPECT_EQ(LoadTraffic(options, 1).due(1s), 0U);
}

double sale_share(LoadTraffic& traffic, std::chrono::milliseconds at) {
  int sales = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto access = traffic.next(at);
    EXPECT_EQ(access.key == "product:flash-sale", access.is_sale);
    sales += access.is_sale ? 1 : 0;
  }
  return sales / 10'000.0;
}

TEST(LoadTraffic, GivesTheSaleItsShareWhileItLasts) {
  LoadTraffic traffic(sale_options(), 0);
  EXPECT_EQ(sale_share(traffic, 1'999ms), 0);
  EXPECT_NEAR(sale_share(traffic, 2'000ms), 0.5, 0.03);
  EXPECT_NEAR(sale_share(traffic, 3'999ms), 0.5, 0.03);
  EXPECT_EQ(sale_share(traffic, 4'000ms), 0);
}

TEST(LoadTraffic, WritesItsShareOfWrites) {
  LoadOptions options = sale_options();
  options.write_share = 0.25;
  LoadTraffic traffic(options, 0);
  int writes = 0;
  for (int i = 0; i < 10'000; ++i) writes += traffic.next(0ms).is_write ? 1 : 0;
  EXPECT_NEAR(writes / 10'000.0, 0.25, 0.03);
}

std::vector<std::string> keys_of(std::uint64_t seed, std::uint32_t worker) {
  LoadOptions options = sale_options();
  options.seed = seed;
  LoadTraffic traffic(options, worker);
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.emplace_back(traffic.next(0ms).key);
  return keys;
}

TEST(LoadTraffic, IsTheSameForTheSameSeedAndWorker) {
  EXPECT_EQ(keys_of(1, 0), keys_of(1, 0));
  EXPECT_NE(keys_of(1, 0), keys_of(2, 0));
  EXPECT_NE(keys_of(1, 0), keys_of(1, 1));
}

}  // namespace
}  // namespace hotkeyd
