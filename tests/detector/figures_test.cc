#include "detector/figures.h"

#include <gmock/gmock.h>

#include <chrono>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

RuleOptions writes_at(double writes) {
  RuleOptions rule;
  rule.promote.rate = 1000;
  rule.promote.writes = writes;
  return rule;
}

TEST(Figures, SayCountRateAndShare) {
  const WindowSums sums{
      .count = 1003, .reads = 1000, .writes = 3, .misses = 5, .local_hits = 7, .bytes = 148'000};
  const KeyFigures expected{.count = 1003,
                            .reads = 1000,
                            .writes = 3,
                            .misses = 5,
                            .local_hits = 7,
                            .bytes = 148'000,
                            .rate = 1003,
                            .error = 0,
                            .share = 0.25,
                            .sample = 1};
  EXPECT_EQ(figures_of(sums, {1s, 4012, 0}), expected);
}

TEST(Figures, ARateIsRoundedAndItsErrorHoldsTheRounding) {
  const KeyFigures figures = figures_of({.count = 630, .reads = 630}, {60s, 630, 0});
  EXPECT_EQ(figures.rate, 11U);
  EXPECT_EQ(figures.error, 1U);
  EXPECT_EQ(figures_of({.count = 600, .reads = 600}, {60s, 600, 0}).error, 0U);
}

TEST(Figures, TheErrorAddsWhatWasMissedSampledAndLostPerSecondRoundedUp) {
  const WindowSums sums{
      .count = 1000, .reads = 1000, .missed_max = 14, .factor_max = 9.2, .sampling_error = 30.5};
  const KeyFigures figures = figures_of(sums, {10s, 1000, 100});
  EXPECT_EQ(figures.rate, 100U);
  EXPECT_EQ(figures.error, 15U);  // (14 + 30.5 + 100) / 10
  EXPECT_EQ(figures.sample, 10U);
}

TEST(Figures, OfNothingAreZero) { EXPECT_EQ(figures_of({}, {1s, 0, 0}), KeyFigures{}); }

TEST(KeyClass, FollowsFromTheColumns) {
  const Rule rule(writes_at(50), 1s);
  const auto of = [&](std::uint64_t reads, std::uint64_t writes, std::uint64_t misses) {
    return class_of({.count = reads + writes, .reads = reads, .writes = writes, .misses = misses}, &rule);
  };
  EXPECT_EQ(of(100, 0, 0), KeyClass::read);
  EXPECT_EQ(of(199, 50, 0), KeyClass::write);   // More than a fifth, and the writes rate.
  EXPECT_EQ(of(200, 50, 0), KeyClass::read);    // Exactly a fifth.
  EXPECT_EQ(of(100, 49, 0), KeyClass::mixed);   // More than a fifth, below the writes rate.
  EXPECT_EQ(of(100, 49, 51), KeyClass::miss);   // Misses before mixed.
  EXPECT_EQ(of(100, 50, 51), KeyClass::write);  // Writes before misses.
  EXPECT_EQ(of(100, 0, 50), KeyClass::read);    // Exactly half of the reads.
  EXPECT_EQ(of(0, 0, 0), KeyClass::read);
}

TEST(KeyClass, WithoutARuleIsNeverWrite) {
  EXPECT_EQ(class_of({.count = 9000, .writes = 9000}, nullptr), KeyClass::mixed);
}

TEST(NearCache, IsForReadersAndMissersOnly) {
  const Rule rule(writes_at(50), 1s);
  const WindowSums sums{.count = 100, .reads = 100};
  EXPECT_EQ(near_cache_of(KeyClass::read, sums, &rule), NearCacheOptions{});
  EXPECT_EQ(near_cache_of(KeyClass::miss, sums, &rule), NearCacheOptions{});
  EXPECT_EQ(near_cache_of(KeyClass::mixed, sums, &rule), std::nullopt);
  EXPECT_EQ(near_cache_of(KeyClass::write, sums, &rule), std::nullopt);
}

TEST(NearCache, IsGuardedByTheMeanValueSize) {
  RuleOptions options = writes_at(50);
  options.near_cache = NearCacheOptions{1s, 1000};
  const Rule rule(options, 1s);
  const auto at = [&](std::uint64_t bytes) {
    return near_cache_of(KeyClass::read, {.count = 100, .reads = 100, .bytes = bytes}, &rule).has_value();
  };
  EXPECT_TRUE(at(0));
  EXPECT_TRUE(at(100'000));
  EXPECT_FALSE(at(100'001));
}

TEST(NearCache, IsTheRulesOrTheDefaultWithoutARule) {
  RuleOptions off = writes_at(50);
  off.near_cache.reset();
  const Rule rule(off, 1s);
  EXPECT_EQ(near_cache_of(KeyClass::read, {}, &rule), std::nullopt);
  EXPECT_EQ(near_cache_of(KeyClass::read, {}, nullptr), NearCacheOptions{});
}

}  // namespace
}  // namespace hotkeyd
