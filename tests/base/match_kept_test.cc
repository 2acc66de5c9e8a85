#include "base/match_kept.h"

#include <gtest/gtest.h>

#include <functional>

namespace hotkeyd {
namespace {

using Kept = std::vector<std::optional<std::size_t>>;

Kept kept(const std::vector<int>& running, const std::vector<int>& wanted) {
  return match_kept(running, wanted, std::equal_to<>());
}

TEST(MatchKept, FindsWhatStaysWhereverItStands) {
  EXPECT_EQ(kept({1, 2, 3}, {3, 4, 1}), (Kept{2, std::nullopt, 0}));
  EXPECT_EQ(kept({}, {1}), Kept{std::nullopt});
  EXPECT_EQ(kept({1}, {}), Kept{});
}

TEST(MatchKept, KeepsEachOnlyOnce) { EXPECT_EQ(kept({7, 7}, {7, 7, 7}), (Kept{0, 1, std::nullopt})); }

}  // namespace
}  // namespace hotkeyd
