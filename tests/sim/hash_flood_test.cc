// Keys crafted to collide: the detector is as exact as with any others, since its hash is seeded.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/sim/stream.h"
#include "tests/support/crafted_keys.h"
#include "tests/support/zipf.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kKeys = 2000;
constexpr std::size_t kHot = 20;
constexpr std::uint64_t kThreshold = 400;
constexpr std::uint64_t kBuckets = 512;  // Of 256 KiB.

// Every hundredth key is read 600 times a second, the others twice. Returns who was promoted in 3 s.
std::set<std::string> promoted(const std::vector<std::string>& keys, std::uint64_t seed) {
  DetectorOptions options = make_options({make_rule("rest", "*", kThreshold)});
  options.seed = seed;
  JudgedStream stream(options, {.in = kThreshold});
  Random dice(5);
  for (Duration passed{}; passed < 3s; passed += 20ms) {
    std::vector<Access> batch;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint64_t reads = poisson(i % (kKeys / kHot) == 0 ? 12 : 0.04, dice);
      if (reads > 0) batch.push_back({.key = keys[i], .reads = reads});
    }
    stream.observe(batch);
    stream.run(20ms);
  }
  std::set<std::string> out;
  for (const ExactDecision& decision : stream.decided()) {
    if (decision.is_promotion) out.insert(decision.key);
  }
  return out;
}

std::set<std::string> hot_of(const std::vector<std::string>& keys) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < keys.size(); i += kKeys / kHot) out.insert(keys[i]);
  return out;
}

TEST(HashFlood, FindsExactlyTheHotKeysAmongKeysCraftedToCollide) {
  const auto keys = crafted_keys(kKeys, kBuckets);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) EXPECT_EQ(promoted(keys, seed), hot_of(keys)) << seed;
}

TEST(HashFlood, FindsNoneButTheFewThatFitWhenTheSeedIsKnown) {
  const auto keys = crafted_keys(kKeys, kBuckets);
  EXPECT_LT(promoted(keys, 0).size(), kHot);
}

}  // namespace
}  // namespace hotkeyd
