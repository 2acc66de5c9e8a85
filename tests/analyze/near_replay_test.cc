#include "analyze/near_replay.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

TEST(NearReplay, SavesReadsWithinTheTtlOfALoad) {
  NearReplay near;
  NearTotals totals;
  near.allow(100);
  EXPECT_FALSE(near.read(1000, totals));
  EXPECT_TRUE(near.read(1001, totals));
  EXPECT_TRUE(near.read(1099, totals));
  EXPECT_FALSE(near.read(1100, totals));  // The deadline itself is past; a new copy begins.
  EXPECT_TRUE(near.read(1199, totals));
  EXPECT_EQ(totals, (NearTotals{3, 0}));
}

TEST(NearReplay, CallsReadsStaleFromAWriteToTheNextLoad) {
  NearReplay near;
  NearTotals totals;
  near.allow(100);
  near.write();  // Before there is a copy.
  near.read(0, totals);
  near.read(10, totals);
  near.write();
  near.read(20, totals);
  near.read(99, totals);
  near.read(100, totals);
  near.read(101, totals);
  EXPECT_EQ(totals, (NearTotals{4, 2}));
}

TEST(NearReplay, DropsItsCopyWithThePermission) {
  NearReplay near;
  NearTotals totals;
  EXPECT_FALSE(near.read(0, totals));
  EXPECT_FALSE(near.read(1, totals));
  near.allow(100);
  near.read(2, totals);
  near.allow(std::nullopt);
  EXPECT_FALSE(near.read(3, totals));
  near.allow(100);
  EXPECT_FALSE(near.read(4, totals));
  EXPECT_EQ(totals, NearTotals{});
}

}  // namespace
}  // namespace hotkeyd
