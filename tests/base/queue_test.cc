#include "base/bounded_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace hotkeyd {
namespace {

TEST(BoundedQueue, HandsOverInOrder) {
  BoundedQueue<int> queue(3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.push(i));
  EXPECT_EQ(queue.size(), 3U);
  EXPECT_EQ(queue.take_all(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(queue.size(), 0U);
  EXPECT_EQ(queue.take_all(), std::vector<int>{});
}

TEST(BoundedQueue, DropsAndCountsTheNewestWhenFull) {
  BoundedQueue<int> queue(2);
  EXPECT_TRUE(queue.push(1));
  EXPECT_TRUE(queue.push(2));
  EXPECT_FALSE(queue.push(3));
  EXPECT_FALSE(queue.push(4));
  EXPECT_EQ(queue.dropped(), 2U);
  EXPECT_EQ(queue.take_all(), (std::vector<int>{1, 2}));
  EXPECT_TRUE(queue.push(5));
  EXPECT_EQ(queue.dropped(), 2U);
}

TEST(BoundedQueue, TakesItemsThatOnlyMove) {
  BoundedQueue<std::unique_ptr<int>> queue(1);
  EXPECT_TRUE(queue.push(std::make_unique<int>(7)));
  EXPECT_FALSE(queue.push(std::make_unique<int>(8)));
  EXPECT_EQ(*queue.take_all().at(0), 7);
}

TEST(BoundedQueue, LosesNothingBetweenTwoThreads) {
  constexpr int kItems = 2'000;
  BoundedQueue<int> queue(64);
  std::thread writer([&] {
    for (int i = 0; i < kItems; ++i) {
      if (!queue.push(i)) std::this_thread::yield();
    }
  });
  std::size_t taken = 0;
  int last = -1;
  while (taken + queue.dropped() < kItems) {
    std::this_thread::yield();
    for (const int item : queue.take_all()) {
      EXPECT_GT(item, std::exchange(last, item));
      ++taken;
    }
  }
  writer.join();
  EXPECT_EQ(taken + queue.dropped(), static_cast<std::size_t>(kItems));
}

}  // namespace
}  // namespace hotkeyd
