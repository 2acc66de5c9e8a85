// The near cache in millions of interleavings of readers, writers, invalidations, losses, demotions and time.
#include <gtest/gtest.h>

#include "tests/sim/near_world.h"

namespace hotkeyd::sdk {
namespace {

TEST(NearCache, KeepsItsPromisesInEveryInterleaving) {
  constexpr std::uint64_t kWorlds = 10'000;
  constexpr int kSteps = 1000;
  Happened all;
  for (std::uint64_t seed = 1; seed <= kWorlds; ++seed) {
    NearWorld world(seed);
    ASSERT_EQ(world.run(kSteps), "") << "seed " << seed;
    const Happened& one = world.happened();
    all.hits += one.hits;
    all.loads += one.loads;
    all.joined += one.joined;
    all.waited += one.waited;
    all.overtaken += one.overtaken;
    all.invalidations += one.invalidations;
    all.losses += one.losses;
    all.disconnections += one.disconnections;
    all.demotions += one.demotions;
    all.lease_ends += one.lease_ends;
  }
  for (const std::uint64_t often : {all.hits, all.loads, all.joined, all.waited, all.invalidations,
                                    all.losses, all.disconnections, all.demotions})
    EXPECT_GT(often, 10'000U);
  for (const std::uint64_t rare : {all.overtaken, all.lease_ends}) EXPECT_GT(rare, 300U);
}

}  // namespace
}  // namespace hotkeyd::sdk
