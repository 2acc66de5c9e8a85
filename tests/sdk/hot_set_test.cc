#include "sdk/cpp/src/hot_set.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "sdk/cpp/src/key_hash.h"

namespace hotkeyd::sdk {
namespace {

std::vector<std::uint64_t> numbers(std::uint64_t from, std::uint64_t count) {
  const SdkHash hash(1);
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = from; i < from + count; ++i) out.push_back(hash(std::to_string(i)));
  return out;
}

TEST(HotSet, ContainsWhatWasInsertedAndNotErased) {
  HotSet set;
  set.insert(7);
  set.insert(71);  // The same slot of 64.
  set.erase(7);

  EXPECT_FALSE(set.contains(7));
  EXPECT_TRUE(set.contains(71));
  EXPECT_EQ(set.size(), 1U);
}

TEST(HotSet, TakesTheHashesThatMarkEmptyAndDeletedSlots) {
  HotSet set;
  EXPECT_FALSE(set.contains(0));
  EXPECT_FALSE(set.contains(1));
  set.insert(0);
  set.insert(1);
  EXPECT_TRUE(set.contains(0));
  EXPECT_TRUE(set.contains(1));
  EXPECT_EQ(set.size(), 2U);
}

TEST(HotSet, GrowsAndKeepsEveryKey) {
  HotSet set;
  const auto hashes = numbers(0, 20'000);
  for (const auto hash : hashes) set.insert(hash);

  std::size_t found = 0;
  for (const auto hash : hashes) found += set.contains(hash) ? 1U : 0U;
  EXPECT_EQ(found, hashes.size());
  EXPECT_EQ(set.size(), hashes.size());
  for (const auto hash : numbers(20'000, 1000)) EXPECT_FALSE(set.contains(hash));
}

TEST(HotSet, LivesThroughMoreDeletionsThanItHasSlots) {
  HotSet set;
  for (const auto hash : numbers(0, 10'000)) {
    set.insert(hash);
    EXPECT_TRUE(set.contains(hash));
    set.erase(hash);
    EXPECT_FALSE(set.contains(hash));
  }
  EXPECT_EQ(set.size(), 0U);
}

TEST(HotSet, ReplacesEverything) {
  HotSet set;
  set.insert(5);
  set.replace({8, 9, 9});

  EXPECT_FALSE(set.contains(5));
  EXPECT_TRUE(set.contains(8));
  EXPECT_TRUE(set.contains(9));
  EXPECT_EQ(set.size(), 2U);
  set.replace({});
  EXPECT_FALSE(set.contains(8));
}

TEST(HotSet, NeverHidesAKeyFromReadersWhileOthersComeAndGo) {
  HotSet set;
  set.insert(42);
  std::atomic<bool> done{false};
  std::atomic<std::uint64_t> misses{0};
  const auto read = [&] {
    while (!done) misses += set.contains(42) ? 0U : 1U;
  };
  std::thread first(read);
  std::thread second(read);
  for (int round = 0; round < 20; ++round) {
    const auto hashes = numbers(static_cast<std::uint64_t>(round) * 200, 200);
    for (const auto hash : hashes) set.insert(hash);
    for (const auto hash : hashes) set.erase(hash);
    set.replace({1000, 42, 2000});
  }
  done = true;
  first.join();
  second.join();
  EXPECT_EQ(misses, 0U);
}

TEST(SdkHash, DependsOnEveryByteTheLengthAndTheSeed) {
  for (const std::size_t size : {1U, 3U, 4U, 7U, 8U, 15U, 16U, 17U, 31U, 32U, 33U, 100U}) {
    const std::string key(size, 'k');
    const SdkHash hash(11);
    EXPECT_NE(hash(key), hash(key + 'k')) << size;
    EXPECT_NE(hash(key), SdkHash(12)(key)) << size;
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = key;
      other[at] = '\0';
      EXPECT_NE(hash(key), hash(other)) << size << " at " << at;
    }
  }
  EXPECT_NE(SdkHash(11)(""), SdkHash(12)(""));
}

}  // namespace
}  // namespace hotkeyd::sdk
