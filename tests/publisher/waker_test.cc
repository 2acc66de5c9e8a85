#include "publisher/waker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

namespace hotkeyd {
namespace {

// A loop that the test turns, and a waker that counts its calls.
class WakerTest : public ::testing::Test {
 protected:
  void turn() {
    io.poll();
    io.restart();
  }

  asio::io_context io{1};
  int calls = 0;
  std::optional<Waker> waker{std::in_place, io, [this] { ++calls; }};
};

TEST_F(WakerTest, MakesOneCallOfAllThatWasAskedBeforeIt) {
  waker->wake();
  waker->wake();
  EXPECT_EQ(calls, 0) << "never within wake";
  turn();
  EXPECT_EQ(calls, 1);
  turn();
  EXPECT_EQ(calls, 1);
  waker->wake();
  turn();
  EXPECT_EQ(calls, 2);
}

TEST_F(WakerTest, MakesAnotherCallOfWhatIsAskedDuringOne) {
  waker.emplace(io, [this] {
    if (++calls == 1) waker->wake();
  });
  waker->wake();
  turn();
  EXPECT_EQ(calls, 2);
}

TEST_F(WakerTest, CallsNothingOnceItIsGone) {
  waker->wake();
  waker.reset();
  turn();
  EXPECT_EQ(calls, 0);
  waker.emplace(io, [this] {
    const auto last = ++calls;
    waker.reset();
    calls = last + 1;
  });
  waker->wake();
  turn();
  EXPECT_EQ(calls, 2) << "its end during a call does not hurt the call";
}

TEST_F(WakerTest, ACallSeesWhatAnotherThreadDidBeforeItAsked) {
  constexpr int kTimes = 10'000;
  std::atomic<int> done{0};
  int seen = 0;
  waker.emplace(io, [&] { seen = done.load(std::memory_order_relaxed); });
  auto work = asio::make_work_guard(io);
  std::thread other([&] {
    for (int i = 0; i < kTimes; ++i) {
      done.fetch_add(1, std::memory_order_relaxed);
      waker->wake();
    }
    work.reset();
  });
  io.run();
  other.join();
  EXPECT_EQ(seen, kTimes);
}

}  // namespace
}  // namespace hotkeyd
