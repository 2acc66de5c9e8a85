#include "detector/counter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/detector/counter_fixture.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CounterOptions small() {
  CounterOptions options;
  options.buckets = 64;
  options.candidate_min = 10;
  options.candidates_max = 100;
  options.names_max = 1 << 16;
  options.top_k = 50;
  options.seed = 7;
  return options;
}

CounterOptions without_lukewarm() {
  CounterOptions options = small();
  options.top_k = 0;
  return options;
}

std::string figures(const WindowSums& sums) {
  return std::to_string(sums.count) + " = " + std::to_string(sums.reads) + " + " +
         std::to_string(sums.writes) + ", misses " + std::to_string(sums.misses) + ", local " +
         std::to_string(sums.local_hits) + ", bytes " + std::to_string(sums.bytes) + ", seen " +
         std::to_string(sums.writes_seen) + " " + std::to_string(sums.misses_seen);
}

TEST(Counter, AddsUpReadsAndWrites) {
  CountedKeys keys(small());
  keys.add({.key = "k", .reads = 3, .writes = 2}, 5);
  keys.add({.key = "k", .reads = 1}, 6);

  EXPECT_EQ(keys.count("k", 6), 6U);
  EXPECT_EQ(keys.count("other", 6), 0U);
  EXPECT_EQ(keys.counter.total(6), 6U);
}

TEST(Counter, ForgetsASlotWhenItLeavesTheWindow) {
  CountedKeys keys(small());
  keys.read("k", 4, 100);
  keys.read("k", 2, 105);

  EXPECT_EQ(keys.count("k", 109), 6U);
  EXPECT_EQ(keys.count("k", 110), 6U) << "the window that ended at the start of 110 is 100 to 109";
  EXPECT_EQ(keys.count("k", 111), 2U);
  EXPECT_EQ(keys.count("k", 116), 0U);
  EXPECT_EQ(keys.counter.total(116), 0U);
}

TEST(Counter, CoversOneWholeWindowAtATickAndLessAfterTheNextAccess) {
  CountedKeys keys(small());
  keys.read("k", 4, 0);
  keys.counter.tick(10);
  EXPECT_EQ(keys.count("k", 10), 4U);
  keys.read("k", 1, 10);
  EXPECT_EQ(keys.count("k", 10), 1U);
}

TEST(Counter, AgesEverythingAtOnceWhenTheClockJumps) {
  CountedKeys keys(small());
  keys.read("k", 40, 3);
  keys.counter.tick(1'000'000'000'000);
  EXPECT_EQ(keys.counter.total(1'000'000'000'000), 0U);
  EXPECT_THAT(keys.listener.take_log(), ElementsAre("appeared k", "forgotten k"));

  keys.read("k", 1, 1'000'000'000'003);
  EXPECT_EQ(keys.count("k", 1'000'000'000'003), 1U);
}

TEST(Counter, NamesAKeyOnTheAccessThatReachesCandidateMin) {
  CountedKeys keys(without_lukewarm());
  keys.read("k", 9, 1);
  EXPECT_EQ(keys.find("k"), std::nullopt);
  keys.read("k", 1, 2);
  EXPECT_EQ(keys.counter.key(keys.id("k")), "k");
  EXPECT_THAT(keys.listener.take_log(), ElementsAre("appeared k"));
}

TEST(Counter, TellsOnTheVeryAccessThatReachesATrigger) {
  CountedKeys keys(without_lukewarm());
  keys.listener.first = [](std::string_view) { return Triggers{.count = 20}; };
  keys.read("k", 19, 1);
  EXPECT_THAT(keys.listener.take_log(), ElementsAre("appeared k"));
  keys.read("k", 1, 4);
  EXPECT_THAT(keys.listener.take_log(), ElementsAre("reached k"));
  keys.read("k", 100, 4);
  EXPECT_THAT(keys.listener.take_log(), IsEmpty());
}

TEST(Counter, TellsAtOnceWhenTheFirstAccessReachesSeveralTriggers) {
  CountedKeys keys(small());
  std::vector<std::uint32_t> levels{20, 50, 1000};
  std::size_t level = 0;
  keys.listener.first = [&](std::string_view) { return Triggers{.count = levels[0]}; };
  keys.listener.next = [&](CandidateId) { return Triggers{.count = levels.at(++level)}; };
  keys.read("k", 60, 1);
  EXPECT_THAT(keys.listener.take_log(), ElementsAre("appeared k", "reached k", "reached k"));
}

TEST(Counter, ComparesTriggersOfWritesAndMissesWithWhatWasSeenSince) {
  CountedKeys keys(without_lukewarm());
  keys.listener.first = [](std::string_view) { return Triggers{.writes = 5, .misses = 7}; };
  std::vector<Triggers> next{Triggers{.misses = 7}, Triggers{}};
  std::size_t told = 0;
  keys.listener.next = [&](CandidateId) { return next.at(told++); };
  keys.add({.key = "k", .writes = 8}, 1);  // Not yet a candidate.
  keys.add({.key = "k", .reads = 6, .writes = 4, .misses = 6}, 1);
  EXPECT_THAT(keys.listener.take_log(), ElementsAre("appeared k"));
  keys.add({.key = "k", .writes = 1}, 2);
  EXPECT_THAT(keys.listener.take_log(), ElementsAre("reached k"));
  keys.add({.key = "k", .reads = 1, .misses = 1}, 3);
  EXPECT_THAT(keys.listener.take_log(), ElementsAre("reached k"));
}

TEST(Counter, SplitsEarlierAccessesInTheProportionSeenSince) {
  CountedKeys keys(without_lukewarm());
  keys.read("k", 8, 1);
  keys.add({.key = "k", .reads = 6, .writes = 2, .misses = 4, .local_hits = 2, .bytes = 800}, 2);
  EXPECT_EQ(figures(keys.sums("k", 2)), "16 = 12 + 4, misses 8, local 4, bytes 1600, seen 2 4");
  keys.counter.tick(11);
  keys.read("k", 0, 11);
  EXPECT_EQ(figures(keys.sums("k", 11)), "8 = 6 + 2, misses 4, local 2, bytes 800, seen 2 4");
}

TEST(Counter, SlidesEveryColumn) {
  CountedKeys keys(small());
  keys.add({.key = "k", .reads = 6, .writes = 5, .misses = 4, .local_hits = 2, .bytes = 800}, 2);
  keys.add({.key = "k", .reads = 1, .writes = 1, .misses = 1, .local_hits = 1, .bytes = 7}, 5);
  EXPECT_EQ(figures(keys.sums("k", 12)), "13 = 7 + 6, misses 5, local 3, bytes 807, seen 6 5");
  EXPECT_EQ(figures(keys.sums("k", 13)), "2 = 1 + 1, misses 1, local 1, bytes 7, seen 1 1");
  keys.counter.keep(keys.id("k"), true);
  EXPECT_EQ(figures(keys.sums("k", 16)), "0 = 0 + 0, misses 0, local 0, bytes 0, seen 0 0");
}

TEST(Counter, SaturatesInsteadOfWrapping) {
  CountedKeys keys(small());
  for (Slot slot = 1; slot <= 3; ++slot) {
    keys.add(
        {.key = "k", .reads = 1ULL << 62, .writes = 1ULL << 62, .misses = 1ULL << 62, .bytes = 1ULL << 63},
        slot);
  }
  const WindowSums sums = keys.sums("k", 3);
  EXPECT_EQ(sums.count, UINT32_MAX);
  EXPECT_EQ(sums.reads + sums.writes, UINT32_MAX);
  EXPECT_EQ(sums.writes_seen, UINT32_MAX);
  EXPECT_EQ(sums.bytes, UINT64_MAX);
  EXPECT_EQ(keys.count("k", 14), 0U);
}

TEST(Counter, SpreadsOldBatchesEvenlyOverTheirSlots) {
  CountedKeys keys(small());
  keys.add({.key = "k", .reads = 83, .bytes = 830}, 20, 8);  // 10 each in 14 to 20, 13 in 13.
  EXPECT_EQ(keys.count("k", 20), 83U);
  EXPECT_EQ(keys.counter.total(20), 83U);
  std::vector<std::uint32_t> left;
  for (Slot slot = 23; slot <= 31; ++slot) left.push_back(keys.count("k", slot));
  EXPECT_THAT(left, ElementsAre(83, 70, 60, 50, 40, 30, 20, 10, 0));
}

TEST(Counter, SpreadsOntoACandidateAndOntoAKeyOfTheSameAge) {
  for (const bool candidate : {false, true}) {
    CountedKeys keys(candidate ? small() : without_lukewarm());
    keys.read("k", 1, 14);
    keys.add({.key = "k", .reads = 5, .writes = 3}, 15, 4);  // 1 + 0 each, the oldest 2 + 3.
    EXPECT_EQ(keys.find("k").has_value(), candidate);
    std::vector<std::uint32_t> left{keys.count("k", 15)};
    for (Slot slot = 22; slot <= 26; ++slot) left.push_back(keys.count("k", slot));
    EXPECT_THAT(left, ElementsAre(9, 9, 4, 3, 1, 0)) << candidate;
  }
}

TEST(Counter, ScalesSamplesWithoutBiasAndSaysSo) {
  CountedKeys keys(small());
  for (int times = 0; times < 4000; ++times) keys.add({.key = "k", .reads = 3, .misses = 3}, 1, 1, 2.5);
  const WindowSums sums = keys.sums("k", 1);
  EXPECT_NEAR(static_cast<double>(sums.count), 30'000, 150);
  EXPECT_EQ(sums.misses, sums.reads);
  EXPECT_EQ(sums.factor_max, 2.5);
  EXPECT_NEAR(sums.sampling_error, 2 * std::sqrt(1.5 * static_cast<double>(sums.count)), 1e-6);
  EXPECT_EQ(keys.counter.total(1), sums.count);
}

TEST(Counter, ForgetsTheFactorWithItsSlot) {
  CountedKeys keys(small());
  keys.add({.key = "k", .reads = 3}, 1, 1, 10);
  keys.read("k", 5, 4);
  EXPECT_EQ(keys.sums("k", 4).factor_max, 10);
  EXPECT_EQ(keys.sums("k", 12).factor_max, 1);
  EXPECT_EQ(keys.sums("k", 12).sampling_error, 0);
}

TEST(Counter, KeepsAKeptCandidateWithoutTraffic) {
  CountedKeys keys(small());
  keys.counter.keep(keys.ensure("pinned", 1).value(), true);
  keys.ensure("forgotten", 1);
  for (Slot slot = 2; slot < 40; ++slot) keys.counter.tick(slot);
  EXPECT_EQ(figures(keys.sums("pinned", 40)), "0 = 0 + 0, misses 0, local 0, bytes 0, seen 0 0");
  EXPECT_EQ(keys.find("forgotten"), std::nullopt);
  EXPECT_THAT(keys.listener.take_log(),
              ElementsAre("appeared pinned", "appeared forgotten", "forgotten forgotten"));
  keys.read("pinned", 3, 41);
  EXPECT_EQ(keys.count("pinned", 41), 3U);
}

TEST(Counter, CountsAKeptCandidateThatLostItsLane) {
  CounterOptions options = without_lukewarm();
  options.buckets = 1;
  CountedKeys keys(options);
  keys.add({.key = "kept", .reads = 6, .writes = 4}, 1);
  keys.counter.keep(keys.id("kept"), true);
  for (int key = 0; key < 7; ++key) keys.read("hotter" + std::to_string(key), 1'000'000, 2);
  keys.add({.key = "kept", .reads = 2, .writes = 3}, 3);
  EXPECT_EQ(keys.count("kept", 3), 15U);
  EXPECT_EQ(figures(keys.sums("kept", 3)), "15 = 8 + 7, misses 0, local 0, bytes 0, seen 7 0");
  EXPECT_EQ(keys.count("kept", 12), 5U);
  keys.read("kept", 5'000'000, 12);
  EXPECT_EQ(keys.count("kept", 12), 5'000'005U);
  EXPECT_EQ(keys.count("kept", 14), 5'000'000U) << "what was counted without a lane leaves as ever";
  EXPECT_EQ(keys.count("kept", 23), 0U);
}

TEST(Counter, CountsAKeptCandidateThatLosesItsLaneInTheMiddleOfABatch) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CounterOptions options = without_lukewarm();
    options.buckets = 1;
    options.seed = seed;
    CountedKeys keys(options);
    keys.counter.keep(keys.ensure("kept", 1).value(), true);
    std::vector<std::string> others;
    for (int key = 0; key < 30; ++key) others.push_back("other" + std::to_string(key));
    std::vector<Access> batch;
    for (const std::string& other : others) {
      batch.push_back({.key = "kept", .reads = 1});
      batch.push_back({.key = other, .reads = 50});
    }
    keys.add(batch, 1);
    EXPECT_EQ(keys.count("kept", 1), 30U) << "seed " << seed;
  }
}

TEST(Counter, RanksTheHottestAndTiesByBytes) {
  CountedKeys keys(small());
  for (const auto& [key, count] :
       std::vector<std::pair<std::string, int>>{{"k3", 3}, {"k9b", 9}, {"k9a", 9}, {"k250", 250}}) {
    keys.read(key, static_cast<std::uint64_t>(count), 1);
  }
  EXPECT_THAT(keys.top(3, 1), ElementsAre("k250", "k9a", "k9b"));
  EXPECT_THAT(keys.top(10, 1), ElementsAre("k250", "k9a", "k9b", "k3"));
}

TEST(Counter, EvictsTheCoolestWhereRecordsAreFull) {
  CounterOptions options = without_lukewarm();
  options.candidates_max = 3;
  CountedKeys keys(options);
  keys.read("a", 30, 1);
  keys.read("b", 20, 1);
  keys.read("c", 10, 1);
  keys.counter.keep(keys.id("c"), true);
  keys.listener.take_log();
  keys.read("d", 25, 1);
  EXPECT_THAT(keys.listener.take_log(), ElementsAre("forgotten b", "appeared d"));
  keys.read("e", 12, 1);
  EXPECT_THAT(keys.listener.take_log(), IsEmpty()) << "cooler than all that are not kept";
  EXPECT_EQ(keys.counter.stats().candidates_evicted, 1U);
  EXPECT_EQ(keys.counter.stats().refused, 1U);
  EXPECT_EQ(keys.count("e", 1), 12U);
}

TEST(Counter, RefusesWhereOnlyKeptCandidatesAreLeft) {
  CounterOptions options = without_lukewarm();
  options.candidates_max = 1;
  CountedKeys keys(options);
  keys.counter.keep(keys.ensure("a", 1).value(), true);
  EXPECT_EQ(keys.ensure("b", 1), std::nullopt);
  EXPECT_EQ(keys.counter.stats().refused, 1U);
  keys.counter.keep(keys.id("a"), false);
  EXPECT_NE(keys.ensure("b", 1), std::nullopt);
}

TEST(Counter, MakesRoomForNamesByForgettingTheCoolest) {
  CounterOptions options = without_lukewarm();
  options.names_max = 1000;
  CountedKeys keys(options);
  const std::string a(400, 'a');
  const std::string b(400, 'b');
  const std::string c(400, 'c');
  keys.read(a, 11, 1);
  keys.read(b, 12, 1);
  keys.read(c, 13, 1);
  EXPECT_THAT(keys.listener.take_log(),
              ElementsAre("appeared " + a, "appeared " + b, "forgotten " + a, "appeared " + c));
  EXPECT_EQ(keys.counter.stats().names_evicted, 1U);
  EXPECT_EQ(keys.counter.stats().names_bytes, 800U);
  EXPECT_EQ(keys.ensure(std::string(1001, 'x'), 1), std::nullopt);
}

TEST(Counter, TakesNoOtherKeyForACandidateThatSharesItsFingerprint) {
  CountedKeys keys(small());
  keys.hash = [](std::string_view key) {
    return key == "a" ? 0x1234'5678'0000'0001ULL : 0x1234'5678'0001'0001ULL;
  };
  keys.read("a", 15, 1);
  keys.read("b", 100, 1);
  EXPECT_EQ(keys.count("a", 1), 15U);
  EXPECT_EQ(keys.sums("a", 1).count, 15U);
  EXPECT_EQ(keys.find("b"), std::nullopt);
}

TEST(Counter, SaysNothingWasMissedWhereNothingWasDisplaced) {
  CountedKeys keys(small());
  keys.read("k", 15, 1);
  EXPECT_EQ(keys.sums("k", 1).missed_max, 0U);
}

TEST(Counter, SaysWhatMayHaveBeenMissedUntilTrackedForAWindow) {
  CounterOptions options = without_lukewarm();
  options.buckets = 1;
  CountedKeys keys(options);
  for (int key = 0; key < 7; ++key) keys.read("early" + std::to_string(key), 9, 1);
  keys.read("late", 10'000, 2);  // Displaces a priority of 9.
  EXPECT_EQ(keys.sums("late", 2).missed_max, 105U) << "7 * (p + 1), p rounded up to 14";
  keys.read("late", 1, 11);
  EXPECT_EQ(keys.sums("late", 11).missed_max, 105U);
  keys.read("late", 1, 12);
  EXPECT_EQ(keys.sums("late", 12).missed_max, 0U);
}

TEST(Counter, CountsTrackedKeysAndMemory) {
  CountedKeys keys(small());
  keys.read("a", 1, 1);
  keys.read("b", 1, 1);
  keys.counter.tick(2);
  EXPECT_EQ(keys.counter.stats().tracked, 2U);
  EXPECT_EQ(keys.counter.stats().candidates, 2U);
  EXPECT_GT(keys.counter.memory_bytes(), 64U * 448U);
}

}  // namespace
}  // namespace hotkeyd
