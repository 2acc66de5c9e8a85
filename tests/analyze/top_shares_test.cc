#include "analyze/top_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace hotkeyd {
namespace {

TEST(TopShares, AreExactWhereEveryKeyHasAnEntry) {
  TopShares shares;
  for (const std::uint64_t key : {1U, 2U, 1U, 3U, 1U, 2U, 1U, 1U, 2U, 4U}) shares.add(key);
  EXPECT_EQ(shares.curve(), (std::vector<TopShare>{{1, 0.5, 0}, {2, 0.8, 0}, {4, 1, 0}}));
}

TEST(TopShares, OfNothingHaveNoPoint) { EXPECT_TRUE(TopShares().curve().empty()); }

TEST(TopShares, BoundTheTruthWhereKeysGiveWay) {
  TopShares shares(64);
  std::map<std::uint64_t, std::uint64_t> exact;
  std::mt19937_64 dice(7);
  std::geometric_distribution<std::uint64_t> often(0.05);
  for (int access = 0; access < 200'000; ++access) {
    const std::uint64_t key = access % 2 == 0 ? often(dice) : 1000 + dice() % 5000;
    shares.add(key);
    ++exact[key];
  }
  std::vector<std::uint64_t> counts;
  for (const auto& [key, count] : exact) counts.push_back(count);
  std::sort(counts.rbegin(), counts.rend());
  const auto curve = shares.curve();
  ASSERT_EQ(curve.size(), 7U);
  for (const TopShare& point : curve) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < point.keys; ++at) sum += counts[at];
    const double share = static_cast<double>(sum) / 200'000;
    EXPECT_GE(share, point.share - point.error - 1e-12) << point.keys;
    EXPECT_LE(share, point.share + point.error + 1e-12) << point.keys;
  }
  EXPECT_LT(curve.front().error, 1.0 / 64);
}

}  // namespace
}  // namespace hotkeyd
