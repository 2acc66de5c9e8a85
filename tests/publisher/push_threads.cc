#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "io/asio.h"
#include "publisher/publisher.h"
#include "tests/support/eventually.h"
#include "tests/support/redis_server.h"

namespace hotkeyd {
namespace {

constexpr std::uint64_t kPerThread = 20'000;

PublishedEvent invalidated(const std::string& ns, std::uint64_t seq) {
  PublishedEvent event;
  event.ns = ns;
  event.type = EventType::invalidated;
  event.seq = seq;
  event.bytes = std::make_shared<const std::string>("event");
  return event;
}

TEST(Publisher, AccountsForEveryEventPushedByAnyThread) {
  asio::io_context io{1};
  PublisherOptions options;
  options.endpoint = *parse_endpoint("redis://127.0.0.1:" + std::to_string(testing::free_port()), "redis");
  options.queue_events_max = 1000;
  PublisherHooks hooks;
  hooks.request_snapshot = [](const std::string&) {};
  const auto publisher = make_publisher(io, options, {.node = "web-1", .epoch = 1}, hooks);
  publisher->start();
  auto work = asio::make_work_guard(io);
  std::thread control([&] { io.run(); });

  std::vector<std::thread> pushing;
  for (const char* ns : {"shop", "search"}) {
    pushing.emplace_back([&publisher, ns] {
      for (std::uint64_t seq = 1; seq <= kPerThread; ++seq) publisher->push(invalidated(ns, seq));
    });
  }
  for (std::thread& thread : pushing) thread.join();
  EXPECT_TRUE(testing::eventually([&] {
    PublisherStats stats = publisher->stats();
    return stats.queue_events + stats.failed_events["queue_full"] == 2 * kPerThread;
  }));
  EXPECT_LE(publisher->stats().queue_events, 2000U);  // In the queue, and behind it.

  work.reset();
  io.stop();
  control.join();
}

}  // namespace
}  // namespace hotkeyd
