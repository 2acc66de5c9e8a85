#include "daemon/watchdog.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

TEST(Watchdog, LooksTwicePerTimeout) {
  EXPECT_EQ(watchdog_pace(20s).interval, Duration{10s});
  EXPECT_EQ(watchdog_pace(20s).age_max, Duration{10s});
}

// The data thread ticks each 100 ms: less patience than three ticks would starve a healthy daemon.
TEST(Watchdog, AllowsThreeTicksHoweverShortTheTimeout) {
  EXPECT_EQ(watchdog_pace(200ms).age_max, Duration{300ms});
}

struct Watched {
  explicit Watched(Duration age) : pulse(Clock::now() - age), watchdog(io, pulse, [this] { ++feeds; }) {}
  asio::io_context io;
  Pulse pulse;
  int feeds = 0;
  Watchdog watchdog;
};

TEST(Watchdog, FeedsWhileTheDataThreadMoves) {
  Watched moving(0s);
  moving.watchdog.start(1h);
  EXPECT_EQ(moving.feeds, 1);
}

TEST(Watchdog, StarvesWhenTheDataThreadHangs) {
  Watched hanging(10s);
  hanging.watchdog.start(2s);
  EXPECT_EQ(hanging.feeds, 0);
}

TEST(Watchdog, FeedsADrainThoughTheDataThreadHasSaidGoodbye) {
  Watched draining(10s);
  draining.watchdog.drain();
  draining.watchdog.start(2s);
  EXPECT_EQ(draining.feeds, 1);
}

TEST(Watchdog, DoesNothingWithoutATimeout) {
  Watched off(0s);
  off.watchdog.start(0s);
  EXPECT_EQ(off.feeds, 0);
  EXPECT_EQ(off.io.poll(), 0U);
}

}  // namespace
}  // namespace hotkeyd
