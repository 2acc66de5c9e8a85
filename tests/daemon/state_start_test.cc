#include "daemon/state_start.h"

#include <gtest/gtest.h>

#include "tests/daemon/state_samples.h"

namespace hotkeyd {
namespace {

constexpr UnixMs kHotAt = 1'796'053'929'000;

TEST(StateStart, WithoutAStateBeginsNow) {
  const StateStart start = plan_start(std::nullopt, "web-17", 1000);
  EXPECT_EQ(start.epoch, 1000U);
  EXPECT_EQ(start.orders, SavedOrders{});
  EXPECT_EQ(start.hot, SavedHotSets{});
  EXPECT_EQ(start.hot_refused, "");
}

TEST(StateStart, GivesAnEpochThatGrowsWhateverTheClockSays) {
  const std::uint64_t old = sample_state().header.epoch;
  EXPECT_EQ(plan_start(sample_state(), "web-17", kHotAt).epoch, static_cast<std::uint64_t>(kHotAt));
  EXPECT_EQ(plan_start(sample_state(), "web-17", static_cast<UnixMs>(old)).epoch, old + 1);
  EXPECT_EQ(plan_start(sample_state(), "web-17", kHotAt - 3'600'000).epoch, old + 1);
  EXPECT_EQ(plan_start(sample_state(), "web-17", -5).epoch, old + 1);
  EXPECT_EQ(plan_start(std::nullopt, "web-17", -5).epoch, 1U);
}

TEST(StateStart, ContinuesAHotSetYoungerThanItsLease) {
  for (const UnixMs now_ms : {kHotAt, kHotAt + 9999}) {
    const StateStart start = plan_start(sample_state(), "web-17", now_ms);
    EXPECT_EQ(start.hot, sample_state().hot);
    EXPECT_EQ(start.hot_at_ms, kHotAt);
    EXPECT_EQ(start.orders, sample_state().orders);
  }
}

TEST(StateStart, KeepsOrdersButNoHotSetThatNobodyHolds) {
  const auto refused = [](UnixMs now_ms, std::string_view node) {
    const StateStart start = plan_start(sample_state(), node, now_ms);
    EXPECT_EQ(start.orders, sample_state().orders);
    EXPECT_EQ(start.hot, SavedHotSets{});
    return start.hot_refused;
  };
  EXPECT_EQ(refused(kHotAt + 10'000, "web-17"), "it is older than its lease");
  EXPECT_EQ(refused(kHotAt - 1, "web-17"), "it is dated in the future: the clock was set back");
  EXPECT_EQ(refused(kHotAt, "web-18"), "it is of node web-17");
}

}  // namespace
}  // namespace hotkeyd
