#include "io/timer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

TEST(Timer, CallsOnceWhenTheTimeHasCome) {
  asio::io_context io;
  Timer timer(io);
  int calls = 0;
  timer.start(Clock::now(), [&] { ++calls; });
  io.run();
  EXPECT_EQ(calls, 1);
}

TEST(Timer, FollowsOnlyTheLastPlan) {
  asio::io_context io;
  Timer timer(io);
  std::string called;
  timer.start(Clock::now() + 1h, [&] { called += "first "; });
  timer.start(Clock::now(), [&] { called += "second "; });
  io.run();
  EXPECT_EQ(called, "second ");
}

TEST(Timer, MayBeStartedAnewByItsOwnCall) {
  asio::io_context io;
  Timer timer(io);
  int calls = 0;
  std::function<void()> again = [&] {
    if (++calls < 3) timer.start(Clock::now(), again);
  };
  timer.start(Clock::now(), again);
  io.run();
  EXPECT_EQ(calls, 3);
}

// The handler is already queued when another one destroys the timer.
TEST(Timer, DoesNotCallAfterItsEnd) {
  asio::io_context io;
  auto first = std::make_unique<Timer>(io);
  auto second = std::make_unique<Timer>(io);
  int calls = 0;
  const auto end_both = [&] {
    ++calls;
    first.reset();
    second.reset();
  };
  first->start(Clock::now() - 1s, end_both);
  second->start(Clock::now() - 1s, end_both);
  io.run();
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace hotkeyd
