#include "sdk/cpp/src/recorder.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>

#include "sdk/cpp/src/key_hash.h"
#include "sdk/cpp/src/recorder_pool.h"

namespace hotkeyd::sdk {
namespace {

constexpr Time kStart{};
constexpr Increment kRead{.reads_misses = 1, .writes_locals = 0, .bytes = 10};
constexpr Increment kWrite{.reads_misses = 0, .writes_locals = 1, .bytes = 0};
constexpr Increment kMiss{.reads_misses = (1ULL << 32) + 1, .writes_locals = 0, .bytes = 0};
constexpr Increment kLocal{.reads_misses = 1, .writes_locals = 1ULL << 32, .bytes = 0};

struct Row {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;
  std::uint64_t local_hits = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Row&) const = default;
};
using Rows = std::map<std::string, Row>;

void add_to(Rows& rows, const Growth& growth) {
  Row& row = rows[std::string(growth.key)];
  row.reads += growth.reads;
  row.writes += growth.writes;
  row.misses += growth.misses;
  row.local_hits += growth.local_hits;
  row.bytes += growth.bytes;
}

class Fixture {
 public:
  Wish add(std::string_view key, const Increment& increment = kRead) {
    return recorder.add(key, hash_(key), increment);
  }
  Rows take() {
    Rows rows;
    recorder.take(kStart, [&](const Growth& growth) {
      add_to(rows, growth);
      return true;
    });
    return rows;
  }
  // Adds different keys until the table in use was turned.
  std::size_t fill(const std::string& prefix) {
    for (std::size_t added = 1;; ++added) {
      if (add(prefix + std::to_string(added)) == Wish::room) return added;
    }
  }

  std::atomic<std::uint32_t> alert_after{100};
  Recorder recorder{alert_after, kStart};

 private:
  SdkHash hash_{1};
};

TEST(Recorder, SumsEachKindOfAccessByKey) {
  Fixture f;
  f.add("a");
  f.add("a", kMiss);
  f.add("a", kWrite);
  f.add("b", kLocal);

  EXPECT_EQ(f.take(), (Rows{{"a", {2, 1, 1, 0, 10}}, {"b", {1, 0, 0, 1, 0}}}));
  EXPECT_EQ(f.recorder.recorded(), 4U);
  EXPECT_EQ(f.recorder.dropped(), 0U);
}

TEST(Recorder, GivesOnlyWhatGrewSinceTheLastTake) {
  Fixture f;
  f.add("a");
  f.take();
  EXPECT_EQ(f.take(), Rows{});
  f.add("a", kMiss);
  EXPECT_EQ(f.take(), (Rows{{"a", {1, 0, 1, 0, 0}}}));
}

TEST(Recorder, KeepsWhatTheSinkRefuses) {
  Fixture f;
  f.add("a");
  f.add("b");
  std::string taken;
  const bool all = f.recorder.take(kStart, [&](const Growth& growth) {
    if (!taken.empty()) return false;
    taken = growth.key;
    return true;
  });

  EXPECT_FALSE(all);
  EXPECT_EQ(taken, "a");
  EXPECT_EQ(f.take(), (Rows{{"b", {1, 0, 0, 0, 10}}}));
}

TEST(Recorder, TakesAnyBytesAsKey) {
  Fixture f;
  const std::string hostile[] = {std::string("\0", 1), "\r\n*1\r\n$4\r\nQUIT", "\xff\xfe\"'",
                                 std::string(65'536, 'x')};
  Rows expected;
  for (const std::string& key : hostile) {
    f.add(key);
    expected[key] = {1, 0, 0, 0, 10};
  }
  EXPECT_EQ(f.take(), expected);
}

TEST(Recorder, DropsEmptyAndOversizeKeysAndCountsThem) {
  Fixture f;
  EXPECT_EQ(f.add(""), Wish::none);
  EXPECT_EQ(f.add(std::string(65'537, 'x')), Wish::none);

  EXPECT_EQ(f.take(), Rows{});
  EXPECT_EQ(f.recorder.recorded(), 2U);
  EXPECT_EQ(f.recorder.dropped(), 2U);
}

TEST(Recorder, GoesOnInItsOtherTableAndDropsWhenBothAreFull) {
  Fixture f;
  EXPECT_EQ(f.fill("a"), AccessTable::kKeysMax + 1);
  EXPECT_EQ(f.fill("b"), AccessTable::kKeysMax);  // The first was the last one of "a".
  EXPECT_EQ(f.recorder.dropped(), 1U);
  EXPECT_EQ(f.add("b1"), Wish::none);  // A known key still counts.

  EXPECT_EQ(f.take().size(), 2 * AccessTable::kKeysMax);
  EXPECT_EQ(f.add("c"), Wish::room);  // The table taken is free again.
  EXPECT_EQ(f.add("c"), Wish::none);
  EXPECT_EQ(f.take(), (Rows{{"c", {2, 0, 0, 0, 20}}}));
  EXPECT_EQ(f.recorder.dropped(), 1U);
}

TEST(Recorder, CountsNothingTwiceOverManyTurns) {
  Fixture f;
  std::uint64_t taken = 0;
  for (int round = 0; round < 7; ++round) {
    f.fill("round" + std::to_string(round) + ":");
    for (const auto& [key, row] : f.take()) taken += row.reads;
  }
  EXPECT_EQ(taken + f.recorder.dropped(), f.recorder.recorded());
  EXPECT_EQ(f.recorder.dropped(), 0U);
}

TEST(Recorder, IsBoundedInBytesOfKeys) {
  Fixture f;
  const std::string big(60'000, 'x');
  EXPECT_EQ(f.add(big + "1"), Wish::none);
  EXPECT_EQ(f.add(big + "2"), Wish::none);
  EXPECT_EQ(f.add(big + "3"), Wish::room);
  EXPECT_EQ(f.add(big + "4"), Wish::none);
  EXPECT_EQ(f.add(big + "5"), Wish::room);
  EXPECT_EQ(f.recorder.dropped(), 1U);
}

TEST(Recorder, WishesAnEarlyFlushWhenAKeyPassesTheAlert) {
  Fixture f;
  for (int i = 0; i < 99; ++i) EXPECT_EQ(f.add("a"), Wish::none);
  EXPECT_EQ(f.add("a"), Wish::early);
  for (int i = 0; i < 99; ++i) EXPECT_EQ(f.add("a"), Wish::none);
  EXPECT_EQ(f.add("a"), Wish::early);
}

TEST(Recorder, CountsTheAlertFromTheLastTake) {
  Fixture f;
  for (int i = 0; i < 60; ++i) f.add("a");
  f.take();
  for (int i = 0; i < 99; ++i) EXPECT_EQ(f.add("a"), Wish::none) << i;
  EXPECT_EQ(f.add("a"), Wish::early);
}

TEST(Recorder, WishesAtOnceWhenEveryAccessMatters) {
  Fixture f;
  f.alert_after = 1;
  EXPECT_EQ(f.add("a"), Wish::early);
  EXPECT_EQ(f.add("a", kWrite), Wish::early);
}

TEST(Recorder, LosesNothingWhenTakenWhileAnotherThreadRecords) {
  Fixture f;
  constexpr std::uint64_t kAccesses = 50'000;
  std::atomic<bool> done{false};
  std::thread owner([&] {
    for (std::uint64_t i = 0; i < kAccesses; ++i)
      f.add("key:" + std::to_string(i % 3000), i % 2 == 0 ? kMiss : kLocal);
    done = true;
  });
  std::uint64_t taken = 0;
  std::uint64_t misses = 0;
  const auto take = [&] {
    f.recorder.take(kStart, [&](const Growth& growth) {
      EXPECT_LE(growth.misses, growth.reads);
      EXPECT_LE(growth.local_hits, growth.reads);
      taken += growth.accesses();
      misses += growth.misses;
      return true;
    });
  };
  while (!done) take();
  owner.join();
  take();

  EXPECT_EQ(f.recorder.recorded(), kAccesses);
  EXPECT_EQ(taken + f.recorder.dropped(), kAccesses);
  EXPECT_LE(misses, kAccesses / 2);
}

TEST(RecorderPool, HandsTheRecorderOfAnEndedThreadToTheNext) {
  const auto pool = std::make_shared<RecorderPool>();
  for (int i = 0; i < 3; ++i) {
    std::thread([&] { recorder_of_thread(pool)->add("a", 1, kRead); }).join();
  }
  EXPECT_EQ(pool->recorders().size(), 1U);
  EXPECT_EQ(pool->recorded(), 3U);
}

TEST(RecorderPool, GivesEachThreadItsOwnRecorderAndTheSameOneAgain) {
  const auto pool = std::make_shared<RecorderPool>();
  const auto other = std::make_shared<RecorderPool>();
  Recorder* mine = recorder_of_thread(pool);
  EXPECT_EQ(recorder_of_thread(pool), mine);
  EXPECT_NE(recorder_of_thread(other), mine);
  std::thread([&] { EXPECT_NE(recorder_of_thread(pool), mine); }).join();
}

TEST(RecorderPool, CountsStrayAccessesAsDropped) {
  RecorderPool pool;
  pool.count_stray();
  EXPECT_EQ(pool.recorded(), 1U);
  EXPECT_EQ(pool.dropped(), 1U);
}

TEST(RecorderPool, IsBounded) {
  RecorderPool pool(2);
  for (int i = 0; i < 2; ++i) ASSERT_NE(pool.acquire(), nullptr);
  EXPECT_EQ(pool.acquire(), nullptr);
}

}  // namespace
}  // namespace hotkeyd::sdk
