#include "sdk/cpp/src/near_shard.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Kind = NearShard::Kind;

constexpr std::uint64_t kThread = 1;
constexpr std::uint64_t kOther = 2;
const Time kStart{std::chrono::hours(1)};
const NearAllowance kSecond{1000, 1 << 20};

NearValuePtr value(std::size_t bytes = 100) {
  auto value = std::make_shared<NearValue>();
  value->bytes = bytes;
  value->is_found = true;
  return value;
}

class NearShardTest : public testing::Test {
 protected:
  explicit NearShardTest(const NearShardOptions& options = {.bytes_max = 10'000,
                                                            .load_timeout = seconds(3),
                                                            .max_staleness = {},
                                                            .seed = 1})
      : shard_(options) {
    shard_.allow(7, kSecond);
  }
  NearShard::Step begin(Time now, std::uint64_t thread = kThread) {
    return shard_.begin("key", 7, thread, now);
  }
  // Loads the key from `started` to `ended`.
  NearValuePtr load(Time started, Time ended, NearValuePtr loaded = value()) {
    const NearShard::Step step = begin(started);
    EXPECT_EQ(step.kind, Kind::lead);
    shard_.finish(step.flight, loaded, ended);
    return loaded;
  }
  void keep(std::uint64_t hash, Time now, std::size_t bytes = 100) {
    shard_.allow(hash, kSecond);
    const NearShard::Step step = shard_.begin("k" + std::to_string(hash), hash, kThread, now);
    if (step.kind == Kind::lead) shard_.finish(step.flight, value(bytes), now);
  }
  bool holds(std::uint64_t hash) const { return shard_.index().find(hash) != nullptr; }

  NearShard shard_;
};

struct StaleBound : NearShardTest {
  StaleBound()
      : NearShardTest({.bytes_max = 10'000,
                       .load_timeout = seconds(3),
                       .max_staleness = milliseconds(200),
                       .seed = 1}) {}
};

TEST_F(NearShardTest, CountsTheDeadlineFromBeforeTheLoad) {
  const NearValuePtr loaded = load(kStart, kStart + milliseconds(800));
  const NearShard::Step hit = begin(kStart + milliseconds(899));
  EXPECT_EQ(hit.kind, Kind::hit);
  EXPECT_EQ(hit.value, loaded);
  EXPECT_EQ(begin(kStart + seconds(1)).kind, Kind::lead);
}

TEST_F(NearShardTest, ServesACopyUntilItsDeadlineAndNotAtIt) {
  load(kStart, kStart);
  const Time deadline = shard_.index().find(7)->deadline_at();
  EXPECT_EQ(begin(deadline - Duration(1)).kind, Kind::hit);
  EXPECT_EQ(begin(deadline).kind, Kind::lead);
}

TEST_F(NearShardTest, SpreadsDeadlinesOverTheLastTenth) {
  Time first = Time::max();
  Time last = Time::min();
  for (std::uint64_t hash = 1; hash <= 20; ++hash) {
    keep(hash, kStart);
    const Time deadline = shard_.index().find(hash)->deadline_at();
    first = std::min(first, deadline);
    last = std::max(last, deadline);
  }
  EXPECT_GE(first, kStart + milliseconds(900));
  EXPECT_LE(last, kStart + seconds(1));
  EXPECT_GT(last - first, milliseconds(50));
}

TEST_F(StaleBound, GoesBeforeWhatTheRuleAllows) {
  load(kStart, kStart);
  EXPECT_EQ(begin(kStart + milliseconds(179)).kind, Kind::hit);
  EXPECT_EQ(begin(kStart + milliseconds(200)).kind, Kind::lead);
}

TEST_F(StaleBound, LengthensNoTtl) {
  shard_.allow(7, NearAllowance{100, 1 << 20});
  load(kStart, kStart);
  EXPECT_EQ(begin(kStart + milliseconds(100)).kind, Kind::lead);
}

TEST_F(NearShardTest, KeepsNothingOfALoadLongerThanTheTtl) {
  load(kStart, kStart + seconds(1));
  EXPECT_FALSE(holds(7));
}

TEST_F(NearShardTest, KeepsOnlyWhatIsAllowed) {
  shard_.allow(7, std::nullopt);
  load(kStart, kStart);
  EXPECT_FALSE(holds(7));
  shard_.allow(7, NearAllowance{1000, 99});
  load(kStart, kStart);
  EXPECT_FALSE(holds(7));
  shard_.allow(7, NearAllowance{1000, 100});
  load(kStart, kStart);
  EXPECT_TRUE(holds(7));
  EXPECT_EQ(shard_.stats(kStart).refused, 1U);
}

TEST_F(NearShardTest, SurvivesATtlBeyondAllTime) {
  shard_.allow(7, NearAllowance{~std::uint64_t{0}, ~std::uint64_t{0}});
  load(kStart, kStart);
  EXPECT_EQ(begin(kStart + std::chrono::hours(20)).kind, Kind::hit);
  EXPECT_EQ(begin(kStart + std::chrono::hours(25)).kind, Kind::lead);
}

TEST_F(NearShardTest, LoadsAKeyOnceForTenThousandCallers) {
  const NearShard::Step leader = begin(kStart);
  for (std::uint64_t thread = 2; thread <= 10'000; ++thread) {
    const NearShard::Step step = begin(kStart, thread);
    ASSERT_EQ(step.kind, Kind::join);
    ASSERT_EQ(step.flight, leader.flight);
  }
  const hotkey::NearStats stats = shard_.stats(kStart);
  EXPECT_EQ(stats.loads, 1U);
  EXPECT_EQ(stats.waits, 9'999U);
}

TEST_F(NearShardTest, KeepsNothingThatAnInvalidationFoundInFlight) {
  const NearShard::Step step = begin(kStart);
  shard_.invalidate(7);
  EXPECT_EQ(begin(kStart, kOther).kind, Kind::wait);
  shard_.finish(step.flight, value(), kStart);
  EXPECT_FALSE(holds(7));
  EXPECT_EQ(begin(kStart, kOther).kind, Kind::lead);
  EXPECT_EQ(shard_.stats(kStart).invalidations, 1U);
}

TEST_F(NearShardTest, ForgetsEverythingAtAnInterruption) {
  load(kStart, kStart);
  const NearShard::Step other = shard_.begin("other", 8, kThread, kStart);
  shard_.allow(8, kSecond);
  shard_.interrupt();
  shard_.finish(other.flight, value(), kStart);
  EXPECT_FALSE(holds(7));
  EXPECT_FALSE(holds(8));
}

TEST_F(NearShardTest, LetsAnotherLoadWhenOneIsOverdueAndKeepsOnlyThat) {
  const NearShard::Step hung = begin(kStart);
  EXPECT_EQ(begin(kStart + milliseconds(2999), kOther).kind, Kind::join);
  const NearShard::Step second = begin(kStart + seconds(3), kOther);
  EXPECT_EQ(second.kind, Kind::lead);
  shard_.finish(hung.flight, value(), kStart + seconds(3));
  EXPECT_FALSE(holds(7));
  EXPECT_EQ(begin(kStart + seconds(3), 3).flight, second.flight);
  shard_.finish(second.flight, value(), kStart + seconds(3));
  EXPECT_TRUE(holds(7));
  EXPECT_EQ(shard_.stats(kStart + seconds(3)).timeouts, 1U);
}

TEST_F(NearShardTest, LetsALoaderThatAsksForItsOwnKeyLoadAlone) {
  begin(kStart);
  EXPECT_EQ(begin(kStart).kind, Kind::alone);
}

TEST_F(NearShardTest, TakesNoKeyForAnotherOfTheSameHash) {
  load(kStart, kStart);
  const NearShard::Step twin = shard_.begin("twin", 7, kOther, kStart);
  EXPECT_EQ(twin.kind, Kind::lead);
  EXPECT_EQ(shard_.begin("third", 7, kThread, kStart).kind, Kind::alone);
  shard_.finish(twin.flight, value(), kStart);
  EXPECT_EQ(shard_.index().find(7)->key, "twin");
  EXPECT_EQ(begin(kStart).kind, Kind::lead);
}

TEST_F(NearShardTest, KeepsNothingOfALoadThatFailed) {
  load(kStart, kStart, nullptr);
  EXPECT_EQ(begin(kStart).kind, Kind::lead);
  EXPECT_EQ(shard_.stats(kStart).failures, 1U);
}

TEST_F(NearShardTest, ShortensADeadlineAndNeverExtendsOne) {
  load(kStart, kStart);
  shard_.allow(7, NearAllowance{60'000, 1 << 20});
  EXPECT_EQ(begin(kStart + milliseconds(899)).kind, Kind::hit);
  EXPECT_EQ(begin(kStart + seconds(1)).kind, Kind::lead);
  shard_.allow(8, kSecond);
  keep(8, kStart);
  shard_.allow_only({{8, NearAllowance{100, 1 << 20}}});
  EXPECT_EQ(shard_.index().find(8)->deadline_at(), kStart + milliseconds(100));
}

TEST_F(NearShardTest, DropsWhatASnapshotNoLongerHolds) {
  load(kStart, kStart);
  keep(8, kStart);
  shard_.allow_only({{7, kSecond}});
  EXPECT_TRUE(holds(7));
  EXPECT_FALSE(holds(8));
  EXPECT_EQ(shard_.stats(kStart).withdrawn, 1U);
}

TEST_F(NearShardTest, CountsTheCopiesThatAreNoLongerAllowed) {
  load(kStart, kStart);
  shard_.allow(7, NearAllowance{1000, 99});
  EXPECT_EQ(shard_.stats(kStart).withdrawn, 1U);
  shard_.allow(7, kSecond);
  load(kStart, kStart);
  shard_.allow(7, std::nullopt);
  shard_.allow(7, std::nullopt);
  EXPECT_EQ(shard_.stats(kStart).withdrawn, 2U);
}

TEST_F(NearShardTest, StaysWithinItsBytesAndKeepsWhatIsRead) {
  keep(1, kStart, 800);
  for (std::uint64_t hash = 10; hash < 60; ++hash) {
    shard_.index().find(1)->is_visited = true;
    keep(hash, kStart, 800);
    ASSERT_LE(shard_.stats(kStart).bytes, 10'000U);
    ASSERT_TRUE(holds(1));
  }
  const hotkey::NearStats stats = shard_.stats(kStart);
  EXPECT_EQ(stats.entries, 9U);
  EXPECT_EQ(stats.evictions, 42U);
  keep(100, kStart, 10'000);
  EXPECT_FALSE(holds(100));
  EXPECT_EQ(shard_.stats(kStart).refused, 1U);
}

TEST_F(NearShardTest, TellsTheAgeOfTheOldestAndForgetsWhatIsOver) {
  load(kStart, kStart);
  keep(8, kStart + milliseconds(500));
  EXPECT_EQ(shard_.stats(kStart + milliseconds(600)).oldest_age, milliseconds(600));
  const hotkey::NearStats later = shard_.stats(kStart + milliseconds(1100));
  EXPECT_EQ(later.oldest_age, milliseconds(600));
  EXPECT_EQ(later.entries, 1U);
}

TEST_F(NearShardTest, FreesADroppedCopyWhenNobodyReadsIt) {
  const std::weak_ptr<const NearValue> watched = load(kStart, kStart);
  shard_.invalidate(7);
  shard_.collect([](const NearEntry*) { return true; });
  EXPECT_FALSE(watched.expired());
  shard_.collect([](const NearEntry*) { return false; });
  EXPECT_TRUE(watched.expired());
}

TEST(NearIndex, HoldsManyThroughComingAndGoing) {
  NearIndex index;
  std::vector<std::unique_ptr<NearEntry>> entries;
  NearGuard guard{nullptr};
  for (std::uint64_t hash = 1; hash <= 20'000; ++hash) {
    entries.push_back(std::make_unique<NearEntry>());
    entries.back()->hash = hash * 0x9e3779b97f4a7c15ULL;
    index.put(entries.back().get());
    if (hash > 1000) index.erase(entries[hash - 1001]->hash);
  }
  EXPECT_EQ(index.size(), 1000U);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const NearEntry* expected = i < 19'000 ? nullptr : entries[i].get();
    ASSERT_EQ(index.protect(entries[i]->hash, guard), expected);
    ASSERT_EQ(guard.load(), expected);
    guard = nullptr;
  }
}

}  // namespace
}  // namespace hotkeyd::sdk
