#include "detector/candidate_bar.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

TEST(CandidateBar, LetsEveryKeyInWhileFewerThanTopKAreNamed) {
  CandidateBar bar(250, 4);
  EXPECT_EQ(bar.height(), 1U);
  std::vector<std::uint32_t> counts{9, 8, 7};
  bar.refresh(counts);
  EXPECT_EQ(bar.height(), 1U);
}

TEST(CandidateBar, RisesAboveTheTopKth) {
  CandidateBar bar(250, 4);
  std::vector<std::uint32_t> counts{30, 100, 20, 50, 40};
  EXPECT_EQ(bar.refresh(counts), 15U) << "half of the fourth";
  EXPECT_EQ(bar.height(), 31U);
}

TEST(CandidateBar, NeverRisesAboveCandidateMin) {
  CandidateBar bar(250, 2);
  std::vector<std::uint32_t> counts{1000, 2000, 3000};
  EXPECT_EQ(bar.refresh(counts), 125U);
  EXPECT_EQ(bar.height(), 250U);
}

TEST(CandidateBar, AllowsAQuarterOfTopKPerTickAndSavesUpToTopK) {
  CandidateBar bar(250, 8);
  const auto taken = [&] {
    int records = 0;
    for (; bar.height() < 250; ++records) bar.take();
    return records;
  };
  std::vector<std::uint32_t> none;
  EXPECT_EQ(taken(), 8);
  bar.refresh(none);
  EXPECT_EQ(taken(), 2);
  for (int tick = 0; tick < 100; ++tick) bar.refresh(none);
  EXPECT_EQ(taken(), 8);
}

}  // namespace
}  // namespace hotkeyd
