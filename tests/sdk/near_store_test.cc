#include "sdk/cpp/src/near_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace hotkeyd::sdk {
namespace {

using std::chrono::seconds;

constexpr Time kStart{seconds(1000)};
constexpr std::size_t kMiB = std::size_t{1} << 20;

void keep(NearStore& store, std::uint64_t number, std::size_t bytes) {
  const std::uint64_t hash = number << 32;  // One part after the other.
  auto value = std::make_shared<hotkey::detail::NearValue>();
  value->bytes = bytes;
  value->is_found = true;
  store.allow(hash, NearAllowance{60'000, bytes});
  const NearShard::Step step = store.begin(std::to_string(number), hash, 1, kStart);
  ASSERT_EQ(step.kind, NearShard::Kind::lead);
  store.finish(step.flight, value, kStart);
}

TEST(NearStore, StaysWithinItsBytesOverAllItsParts) {
  NearStore store({.bytes_max = 16 * kMiB, .load_timeout = seconds(3), .max_staleness = {}, .seed = 1}, {});
  for (std::uint64_t number = 0; number < 64; ++number) keep(store, number, kMiB);
  const hotkey::NearStats stats = store.stats(kStart);
  EXPECT_EQ(stats.entries, 12U);  // Three in each of four parts: with its key a value is over a quarter.
  EXPECT_EQ(stats.evictions, 52U);
  EXPECT_LE(stats.bytes, 16 * kMiB);
}

TEST(NearStore, SumsWhatItsPartsCounted) {
  NearStore store({.bytes_max = 16 * kMiB, .load_timeout = seconds(3), .max_staleness = {}, .seed = 1}, {});
  keep(store, 0, 100);
  keep(store, 1, 100);
  keep(store, 2, 5 * kMiB);
  store.allow(0, std::nullopt);
  store.invalidate(std::uint64_t{1} << 32);
  const hotkey::NearStats stats = store.stats(kStart);
  EXPECT_EQ(stats.loads, 3U);
  EXPECT_EQ(stats.refused, 1U);
  EXPECT_EQ(stats.withdrawn, 1U);
  EXPECT_EQ(stats.invalidations, 1U);
  EXPECT_EQ(stats.entries, 0U);
}

}  // namespace
}  // namespace hotkeyd::sdk
