#include "server/lag_gauge.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

TEST(LagGauge, IsTheLargestOfTheLastTenSecondsOrMore) {
  LagGauge gauge;
  EXPECT_EQ(gauge.seconds(), 0);
  gauge.add(1ms, Time{100s});
  gauge.add(250ms, Time{101s});
  gauge.add(2ms, Time{109s});
  EXPECT_EQ(gauge.seconds(), 0.25);
  gauge.add(3ms, Time{110s});
  EXPECT_EQ(gauge.seconds(), 0.25);
  gauge.add(1ms, Time{119s});
  EXPECT_EQ(gauge.seconds(), 0.25);
  gauge.add(2ms, Time{120s});
  EXPECT_EQ(gauge.seconds(), 0.003);
}

TEST(LagGauge, ForgetsEverythingInALongSilence) {
  LagGauge gauge;
  gauge.add(250ms, Time{100s});
  gauge.add(1ms, Time{120s});
  EXPECT_EQ(gauge.seconds(), 0.001);
}

}  // namespace
}  // namespace hotkeyd
