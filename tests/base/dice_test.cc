#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/backoff.h"
#include "base/hash.h"
#include "base/random.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

TEST(Random, RepeatsItselfForTheSameSeed) {
  Random a(42);
  Random b(42);
  Random c(43);
  int differences = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t value = a.next();
    EXPECT_EQ(value, b.next());
    differences += value == c.next() ? 0 : 1;
  }
  EXPECT_EQ(differences, 100);
}

TEST(Random, SpreadsEvenlyBelowItsBound) {
  Random random(1);
  std::array<int, 10> counts{};
  for (int i = 0; i < 100'000; ++i) ++counts.at(random.below(10));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);  // Five standard deviations.
  EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, DrawsFractionsFromZeroToBelowOne) {
  Random random(1);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double fraction = random.fraction();
    ASSERT_GE(fraction, 0);
    ASSERT_LT(fraction, 1);
    sum += fraction;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(Backoff, DoublesToItsMaximumWithinTheUpperHalf) {
  Backoff backoff(100ms, 1s, 7);
  for (const Duration full :
       {Duration(100ms), Duration(200ms), Duration(400ms), Duration(800ms), Duration(1s), Duration(1s)}) {
    const Duration wait = backoff.next();
    EXPECT_GE(wait, full / 2);
    EXPECT_LE(wait, full);
  }
  backoff.reset();
  EXPECT_LE(backoff.next(), Duration(100ms));
}

TEST(Backoff, DiffersBetweenSeeds) {
  std::set<Duration> waits;
  for (std::uint64_t seed = 0; seed < 50; ++seed) waits.insert(Backoff(3s, 3s, seed).next());
  EXPECT_GT(waits.size(), 40U);
}

TEST(KeyHash, DependsOnEveryByteAndOnTheSeed) {
  const KeyHash hash(1);
  std::set<std::uint64_t> values;
  const std::string key(300, 'k');
  for (std::size_t size = 0; size <= key.size(); ++size) values.insert(hash(key.substr(0, size)));
  for (std::size_t at = 0; at < key.size(); ++at) {
    std::string other = key;
    other[at] = '\0';
    values.insert(hash(other));
  }
  EXPECT_EQ(values.size(), 601U);
  EXPECT_EQ(hash("k"), KeyHash(1)("k"));
  EXPECT_NE(hash("k"), KeyHash(2)("k"));
}

TEST(SeededHash, IsOneFunctionPerProcess) {
  EXPECT_EQ(SeededHash()("k"), SeededHash()("k"));
  EXPECT_EQ(SeededHash()("k"), KeyHash(SeededHash::process_seed())("k"));
  EXPECT_NE(random_seed(), random_seed());
}

}  // namespace
}  // namespace hotkeyd
