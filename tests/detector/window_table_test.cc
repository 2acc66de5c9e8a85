#include "detector/window_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace hotkeyd {
namespace {

using testing::Each;
using testing::ElementsAre;

// One bucket, so that every key meets every other.
constexpr std::uint64_t hash_of(std::uint64_t key) { return (key + 1) << 32; }

class OneBucket {
 public:
  explicit OneBucket(Admission admission = Admission::randomized, std::uint64_t seed = 1)
      : table(1, 10, admission, seed, kPlainKernels) {}

  void add(std::uint64_t key, std::uint32_t weight = 1) {
    const std::uint64_t hash = hash_of(key);
    Batch batch;
    batch.size = 1;
    batch.hashes = &hash;
    batch.weights[0] = weight;
    table.probe(batch);
    table.admit(batch, 0);
  }
  std::uint32_t count(std::uint64_t key) const {
    const auto place = table.find(hash_of(key));
    return place ? table.count(*place) : 0;
  }
  void fill(std::uint32_t weight) {
    for (std::uint64_t key = 0; key < kLanes; ++key) add(key, weight);
  }

  WindowTable table;
};

TEST(WindowTable, TakesFourHundredFortyEightBytesABucket) {
  EXPECT_EQ(WindowTable(1024, 10, Admission::randomized, 1, kPlainKernels).memory_bytes(), 1024U * 448U);
}

TEST(WindowTable, GivesEveryKeyALaneWhileOneIsFree) {
  OneBucket bucket;
  bucket.fill(5);
  for (std::uint64_t key = 0; key < kLanes; ++key) EXPECT_EQ(bucket.count(key), 5U);
  EXPECT_EQ(bucket.table.tracked(), kLanes);
}

TEST(WindowTable, DisplacesTheSmallestWithProbabilityWeightByPriorityPlusOne) {
  int displaced = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    OneBucket bucket(Admission::randomized, seed * 7919);
    bucket.fill(20);
    bucket.add(3);
    for (std::uint64_t key = 0; key < kLanes; ++key) bucket.add(key == 4 ? 3 : key);  // Key 4 stays at 20.
    bucket.add(100, 7);
    EXPECT_NE(bucket.count(100) > 0, bucket.count(4) > 0);
    displaced += bucket.count(100) == 7 ? 1 : 0;
  }
  EXPECT_NEAR(displaced / 4000.0, 7.0 / 21, 0.025);
}

TEST(WindowTable, NeverLocksAWarmBucket) {
  OneBucket bucket;
  bucket.fill(1000);
  for (int access = 0; access < 20'000; ++access) bucket.add(100);
  EXPECT_GT(bucket.count(100), 10'000U);
}

TEST(WindowTable, LocksAWarmBucketWhereAdmissionDecays) {
  OneBucket bucket(Admission::heavy_keeper);
  bucket.fill(1000);
  for (int access = 0; access < 20'000; ++access) bucket.add(100);
  EXPECT_EQ(bucket.count(100), 0U);
}

TEST(WindowTable, WearsDownACoolBucketWhereAdmissionDecays) {
  OneBucket bucket(Admission::heavy_keeper);
  bucket.fill(10);
  for (int access = 0; access < 200; ++access) bucket.add(100);
  EXPECT_GT(bucket.count(100), 50U);
  OneBucket heavy(Admission::heavy_keeper);
  heavy.fill(10);
  heavy.add(100, 4'000'000'000);
  EXPECT_GT(heavy.count(100), 0U) << "one heavy access is as many light ones";
}

TEST(WindowTable, ForgetsEachSlotAfterOneWindow) {
  OneBucket bucket;
  std::vector<std::uint32_t> counts;
  for (std::uint32_t slot = 0; slot < 24; ++slot) {
    if (slot < 5) bucket.add(1, slot + 1);
    counts.push_back(bucket.count(1));
    bucket.table.rotate(slot);
  }
  EXPECT_THAT(counts,
              ElementsAre(1, 3, 6, 10, 15, 15, 15, 15, 15, 15, 14, 12, 9, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(WindowTable, LeavesANewcomerNothingOfTheSlotsOfTheKeyBefore) {
  OneBucket bucket;
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    bucket.fill(50);
    bucket.table.rotate(slot);
  }
  bucket.add(100, 1'000'000);
  std::vector<std::uint32_t> counts;
  for (std::uint32_t slot = 3; slot < 13; ++slot) {
    counts.push_back(bucket.count(100));
    bucket.table.rotate(slot);
  }
  EXPECT_THAT(counts, Each(1'000'000));
  EXPECT_EQ(bucket.count(100), 0U);
}

TEST(WindowTable, BackdatesANewcomerOverSlotsOfTheKeyBefore) {
  OneBucket bucket;
  for (std::uint32_t slot = 0; slot < 5; ++slot) {
    bucket.fill(50);
    bucket.table.rotate(slot);
  }
  bucket.add(100, 1'000'000);
  const std::vector<std::uint32_t> parts{200, 300, 400};  // Of slots 4, 3 and 2.
  bucket.table.backdate(bucket.table.find(hash_of(100)).value(), 5, parts);
  std::vector<std::uint32_t> counts;
  for (std::uint32_t slot = 5; slot < 15; ++slot) {
    bucket.table.rotate(slot);
    counts.push_back(1'000'000 - bucket.count(100));
  }
  EXPECT_THAT(counts, ElementsAre(0, 0, 0, 0, 0, 0, 400, 700, 900, 1'000'000));
}

TEST(WindowTable, ForgetsALossAfterTwoWindows) {
  OneBucket bucket;
  bucket.fill(1);
  bucket.add(100, 50);
  std::uint32_t slot = 0;
  const auto missed_by_a_newcomer_after = [&](std::uint32_t slots) {
    while (slot < slots) bucket.table.rotate(slot++);
    bucket.add(200 + slots);
    return bucket.table.missed_max(bucket.table.find(hash_of(200 + slots)).value());
  };
  EXPECT_EQ(missed_by_a_newcomer_after(10), 7U);
  EXPECT_EQ(missed_by_a_newcomer_after(20), 0U);
}

TEST(WindowTable, ProtectsANewcomerForSomeSlots) {
  OneBucket bucket;
  bucket.fill(200);
  while (bucket.count(100) == 0) bucket.add(100);
  int survived = 0;
  for (std::uint64_t key = 200; key < 220; ++key) {
    bucket.add(key);
    survived += bucket.count(100) > 0 ? 1 : 0;
  }
  EXPECT_GT(survived, 10) << "its count is 1, its priority more than a hundred";
}

// Both kernels on the same hostile stream: few buckets, heavy and light weights, candidates, rotations.
class TwinTables {
 public:
  explicit TwinTables(std::uint32_t slots)
      : plain_(8, slots, Admission::randomized, 3, kPlainKernels),
        best_(8, slots, Admission::randomized, 3, best_kernels()) {
    plain_.set_bar(40);
    best_.set_bar(40);
  }

  void count_batch(Random& random) {
    std::vector<std::uint64_t> hashes(1 + random.below(kBatchMax));
    for (std::uint64_t& hash : hashes) hash = random.below(60) * 0x9e3779b97f4a7c15ULL * random.below(3);
    Batch plain = batch_of(hashes, random.next());
    Batch best = plain;
    plain_.probe(plain);
    best_.probe(best);
    ASSERT_EQ(touched(plain), touched(best));
    for (std::size_t position = 0;;) {
      const AdmitStop stop = plain_.admit(plain, position);
      const AdmitStop other = best_.admit(best, position);
      ASSERT_EQ(stop.why, other.why);
      if (stop.why == AdmitStop::Why::end) break;
      ASSERT_EQ(std::tie(stop.position, stop.lane, stop.priority),
                std::tie(other.position, other.lane, other.priority));
      settle(hashes[plain.missed_rows[stop.position]], stop);
      position = stop.position + 1;
    }
    ASSERT_TRUE(same_memory());
  }

  void rotate() {
    plain_.rotate(slot_);
    best_.rotate(slot_++);
    ASSERT_TRUE(same_memory());
  }

 private:
  static Batch batch_of(const std::vector<std::uint64_t>& hashes, std::uint64_t seed) {
    Random random(seed);
    Batch batch;
    batch.size = hashes.size();
    batch.hashes = hashes.data();
    for (std::size_t row = 0; row < batch.size; ++row) {
      batch.weights[row] = random.below(100) == 0 ? UINT32_MAX - random.below(9) : random.below(6);
    }
    return batch;
  }
  static std::vector<std::array<std::uint32_t, 3>> touched(const Batch& batch) {
    std::vector<std::array<std::uint32_t, 3>> rows;
    for (std::size_t at = 0; at < batch.touched_size; ++at) {
      rows.push_back(
          {batch.touched_rows[at], batch.touched_places[at].bucket, batch.touched_places[at].lane});
    }
    return rows;
  }
  void settle(std::uint64_t hash, const AdmitStop& stop) {
    for (WindowTable* table : {&plain_, &best_}) {
      const Place place = table->place_of(hash, stop.lane);
      if (stop.why == AdmitStop::Why::held) {
        table->unmark(place, 7);
        table->place(place, hash, 1, stop.priority);
      } else if (!table->marked(place)) {
        table->mark(place, 5);
      }
    }
  }
  bool same_memory() {
    const TableView a = plain_.view();
    const TableView b = best_.view();
    return std::memcmp(a.buckets, b.buckets, 8 * sizeof(Bucket)) == 0 &&
           std::memcmp(a.sides, b.sides, 8 * sizeof(Side)) == 0 &&
           std::memcmp(a.rows, b.rows, std::size_t{8} * a.slots * sizeof(RingRow)) == 0;
  }

  WindowTable plain_;
  WindowTable best_;
  std::uint64_t slot_ = 0;
};

TEST(WindowTable, IsTheSameToTheBitWithAndWithoutAvx2) {
  for (const std::uint32_t slots : {2U, 3U, 10U, 64U}) {
    TwinTables tables(slots);
    Random random(slots);
    for (int step = 0; step < 2000; ++step) {
      if (random.below(5) == 0) tables.rotate();
      tables.count_batch(random);
      if (testing::Test::HasFatalFailure()) FAIL() << "slots " << slots << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace hotkeyd
