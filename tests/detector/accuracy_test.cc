// Who is found, against exact counting over the same slots. The long runs are in bench/accuracy_bench.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "base/random.h"
#include "tests/detector/counter_fixture.h"
#include "tests/detector/exact_window.h"
#include "tests/support/source_dir.h"
#include "tests/support/zipf.h"

namespace hotkeyd {
namespace {

using testing::IsEmpty;
using testing::IsSubsetOf;

std::string name(std::size_t key) { return "key:" + std::to_string(key); }

using Keys = std::set<std::size_t>;

// Feeds a stream of numbered keys to the counter and to the oracle, and checks after every slot what always
// holds.
class Comparison {
 public:
  Comparison(std::uint32_t buckets, std::uint32_t threshold, std::size_t keys, std::size_t slot_accesses)
      : counted_(options(buckets, threshold)), exact_(keys, 10), slot_accesses_(slot_accesses) {
    for (std::size_t key = 0; key < keys; ++key) names_.push_back(name(key));
    counted_.listener.first = [threshold](std::string_view) { return Triggers{.count = threshold}; };
    counted_.listener.next = [this](CandidateId id) {
      promoted.insert(number(counted_.listener.names.at(id)));
      return Triggers{};
    };
  }

  void add(std::size_t key) {
    exact_.add(key, 1);
    rows_.push_back({.key = names_[key], .reads = 1});
    if (rows_.size() == 50) flush();
    if (++accesses_ % slot_accesses_ == 0) end_slot();
  }

  Keys at_least(std::uint32_t count) const {
    Keys found;
    for (std::size_t key = 0; key < names_.size(); ++key) {
      if (exact_.most(key) >= count) found.insert(key);
    }
    return found;
  }

  // The bound of what was missed is one of probability.
  ~Comparison() { EXPECT_LE(outside_, judged_ / 500); }
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  Keys promoted;

 private:
  static CounterOptions options(std::uint32_t buckets, std::uint32_t threshold) {
    CounterOptions options;
    options.buckets = buckets;
    options.candidate_min = threshold / 4;
    options.top_k = 50;
    options.seed = 11;
    return options;
  }

  static std::size_t number(std::string_view key) { return std::stoul(std::string{key.substr(4)}); }

  void flush() {
    counted_.add(rows_, slot_);
    rows_.clear();
  }

  void end_slot() {
    flush();
    counted_.counter.tick(++slot_);
    ASSERT_EQ(counted_.counter.total(slot_), exact_.total());
    for (const CandidateId id : counted_.counter.candidates()) {
      const WindowSums sums = counted_.counter.sums(id, slot_);
      const std::uint64_t truth = exact_.count(number(counted_.counter.key(id)));
      ASSERT_LE(sums.count, truth) << "never above the truth";
      if (sums.missed_max == 0) {
        ASSERT_EQ(sums.count, truth) << "exact where nothing was missed";
      }
      ++judged_;
      outside_ += sums.count + sums.missed_max < truth ? 1 : 0;
      ASSERT_EQ(sums.reads, sums.count);
    }
    exact_.pass_slot();
  }

  CountedKeys counted_;
  ExactWindow exact_;
  std::size_t slot_accesses_;
  std::size_t accesses_ = 0;
  Slot slot_ = 0;
  std::size_t judged_ = 0;
  std::size_t outside_ = 0;
  std::vector<std::string> names_;
  std::vector<Access> rows_;
};

TEST(Accuracy, FindsExactlyTheKeysAboveTheThresholdOfAnyZipfStream) {
  for (const double exponent : {0.9, 1.1, 1.3}) {
    Comparison comparison(512, 100, 20'000, 2'000);
    Zipf zipf(20'000, exponent, 1);
    for (int access = 0; access < 50'000; ++access) comparison.add(zipf.draw());
    EXPECT_FALSE(comparison.at_least(105).empty());
    EXPECT_THAT(comparison.at_least(105), IsSubsetOf(comparison.promoted)) << exponent;
    EXPECT_THAT(comparison.promoted, IsSubsetOf(comparison.at_least(100))) << exponent;
  }
}

TEST(Accuracy, FindsNothingInUniformTraffic) {
  Comparison comparison(128, 40, 20'000, 2'000);
  Random random(2);
  for (int access = 0; access < 50'000; ++access) comparison.add(random.below(20'000));
  EXPECT_THAT(comparison.promoted, IsEmpty());
}

TEST(Accuracy, TellsKeysAtHalfToTwiceTheThresholdApart) {
  constexpr std::size_t kThreshold = 400;
  Comparison comparison(256, kThreshold, 10'000, 5'000);
  const std::vector<std::size_t> percents{50, 80, 94, 106, 120, 200};
  Random random(3);
  for (std::size_t access = 0; access < 60'000; ++access) {
    const std::size_t probe = access % percents.size();
    const std::size_t of_slot = access % 5'000 / percents.size();
    const bool is_probe = of_slot < percents[probe] * kThreshold / 1000;
    comparison.add(is_probe ? probe : 10 + random.below(9'000));
  }
  EXPECT_EQ(comparison.promoted, (Keys{3, 4, 5}));
}

TEST(Accuracy, FindsSuddenKeysThoughWarmOnesFillTheTable) {
  Comparison comparison(64, 200, 504, 5'000);
  Random random(4);
  for (int access = 0; access < 130'000; ++access) {
    const bool sudden = access > 70'000 && random.below(12) == 0;
    comparison.add(sudden ? random.below(4) : 4 + random.below(500));
  }
  EXPECT_EQ(comparison.promoted, (Keys{0, 1, 2, 3}));
}

TEST(Accuracy, FindsTheHotPagesOfARealShop) {
  std::ifstream file(HOTKEYD_SOURCE_DIR "/tests/data/traces/web12.u16", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  ASSERT_EQ(bytes.size(), 2U * 95'607U);
  Comparison comparison(128, 40, 1 << 16, 500);
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    const auto high = static_cast<unsigned char>(bytes[at]);
    comparison.add(high * 256U + static_cast<unsigned char>(bytes[at + 1]));
  }
  EXPECT_GT(comparison.at_least(42).size(), 10U);
  EXPECT_THAT(comparison.at_least(42), IsSubsetOf(comparison.promoted));
  EXPECT_THAT(comparison.promoted, IsSubsetOf(comparison.at_least(40)));
}

TEST(Accuracy, NeverPromotesASteadyKeyBelowTheThresholdHoweverCoarselyReported) {
  for (std::uint32_t interval = 1; interval <= 10; ++interval) {  // In slots; two are taken as received now.
    CounterOptions options;
    options.buckets = 64;
    CountedKeys keys(options);
    std::uint32_t most = 0;
    for (Slot slot = interval - 1; slot < 100; slot += interval) {
      keys.add({.key = "steady", .reads = 90 * interval}, slot, interval > 2 ? interval : 1);
      most = std::max(most, keys.count("steady", slot));
    }
    EXPECT_EQ(most, 900U) << interval;
  }
}

// The same stream with and without AVX2: everything that can be asked is the same.
TEST(Accuracy, IsTheSameOnEveryProcessor) {
  for (const Admission admission : {Admission::randomized, Admission::heavy_keeper}) {
    CounterOptions options;
    options.buckets = 64;
    options.candidate_min = 20;
    options.candidates_max = 40;
    options.top_k = 30;
    options.names_max = 400;
    options.admission = admission;
    CountedKeys fast(options);
    options.vectorized = false;
    CountedKeys plain(options);
    for (CountedKeys* keys : {&fast, &plain}) {
      keys->listener.first = [](std::string_view key) {
        return Triggers{.count = static_cast<std::uint32_t>(key.size() * 5)};
      };
      Zipf zipf(3'000, 1.0, 5);
      for (Slot slot = 1; slot < 60; ++slot) {
        for (int batch = 0; batch < 4; ++batch) {
          std::vector<std::string> names;
          for (int row = 0; row < 100; ++row) names.push_back(name(zipf.draw()));
          std::vector<Access> rows;
          for (const std::string& key : names)
            rows.push_back({.key = key, .reads = rows.size() % 3, .writes = 1});
          keys->add(rows, slot, batch == 3 ? 4 : 1, batch == 2 ? 1.5 : 1);
        }
        keys->counter.tick(slot + 1);
        for (const std::string& key : keys->top(20, slot + 1)) {
          keys->listener.log.push_back(key + " " + std::to_string(keys->sums(key, slot + 1).count));
        }
      }
    }
    EXPECT_EQ(fast.listener.log, plain.listener.log);
    EXPECT_GT(fast.listener.log.size(), 1000U);
  }
}

}  // namespace
}  // namespace hotkeyd
