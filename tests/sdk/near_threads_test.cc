// The near cache among many threads: one load for all, loaders that fail and hang, storms, forks.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "fake_daemon.h"
#include "hotkey/near_cache.h"
#include "near_events.h"

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Text = std::optional<std::string>;
using Cache = hotkey::NearCache<std::string>;

#if defined(__SANITIZE_THREAD__)
constexpr std::size_t kCrowd = 1000;  // The sanitizer knows 8,000 threads.
#else
constexpr std::size_t kCrowd = 10'000;
#endif

template <typename Claim>
void wait_until(Claim claim) {
  const auto end = Clock::now() + seconds(60);
  while (!claim()) {
    if (Clock::now() > end) return ADD_FAILURE() << "waited for a minute", std::abort();
    std::this_thread::yield();
  }
}

// Threads with little stack, so that ten thousand fit; joined when it goes.
class Crowd {
 public:
  void add(std::function<void()> work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    auto* const owned = new std::function<void()>(std::move(work));
    pthread_t thread{};
    ASSERT_EQ(pthread_create(&thread, &attributes, run, owned), 0);
    pthread_attr_destroy(&attributes);
    threads_.push_back(thread);
  }
  void join() {
    for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
    threads_.clear();
  }
  ~Crowd() { join(); }

 private:
  static void* run(void* owned) {
    const std::unique_ptr<std::function<void()>> work(static_cast<std::function<void()>*>(owned));
    (*work)();
    return nullptr;
  }
  std::vector<pthread_t> threads_;
};

// Nothing is hot: every read is a load.
struct NearLoads : testing::Test {
  void start(milliseconds load_timeout) {
    cache.emplace(client, Cache::Options{.load_timeout = load_timeout});
  }

  hotkey::Client client{hotkey::Options{.ns = "shop", .disabled = true}};
  std::optional<Cache> cache;
  std::atomic<int> loads{0};
  std::atomic<std::size_t> answers{0};
  std::atomic<bool> is_released{false};
};

TEST_F(NearLoads, OneServesTenThousandWaiters) {
  start(std::chrono::hours(1));
  std::atomic<std::size_t> arrived{0};
  const auto slow = [&]() -> Text {
    ++loads;
    wait_until([&] { return arrived == kCrowd; });
    wait_until([&] { return cache->stats().waits == kCrowd - 1; });
    return "1";
  };
  {
    Crowd crowd;
    for (std::size_t i = 0; i < kCrowd; ++i)
      crowd.add([&] {
        ++arrived;
        answers += cache->get("missing", slow) == "1" ? 1 : 0;
      });
  }
  EXPECT_EQ(loads, 1);
  EXPECT_EQ(answers, kCrowd);
  EXPECT_EQ(cache->stats().loads, 1U);
}

TEST_F(NearLoads, GiveTheirFailureToAllWhoWait) {
  start(std::chrono::hours(1));
  std::atomic<std::size_t> failures{0};
  const auto fails = [&]() -> Text {
    ++loads;
    wait_until([&] { return cache->stats().waits == 19; });
    throw std::runtime_error("no such host");
  };
  {
    Crowd crowd;
    for (int i = 0; i < 20; ++i) {
      crowd.add([&] {
        try {
          cache->get("a", fails);
        } catch (const std::runtime_error& error) {
          failures += std::string(error.what()) == "no such host" ? 1 : 0;
        }
      });
    }
  }
  EXPECT_EQ(loads, 1);
  EXPECT_EQ(failures, 20U);
  EXPECT_EQ(cache->get("a", [] { return Text("1"); }), "1");
}

TEST_F(NearLoads, OfAHungLoaderAreTakenOverByThoseWhoWait) {
  start(milliseconds(20));
  Crowd crowd;
  crowd.add([&] {
    answers += cache->get("a", [&]() -> Text {
      ++loads;
      wait_until([&] { return is_released.load(); });
      return "late";
    }) == "late";
  });
  wait_until([&] { return loads == 1; });
  for (int i = 0; i < 4; ++i) {
    crowd.add([&] {
      while (true) {
        try {
          answers += cache->get("a", [] { return Text("1"); }) == "1" ? 1 : 0;
          return;
        } catch (const hotkey::LoadTimeout&) {
        }
      }
    });
  }
  wait_until([&] { return answers == 4; });
  EXPECT_GE(cache->stats().timeouts, 1U);
  is_released = true;
  crowd.join();
  EXPECT_EQ(answers, 5U);
}

TEST_F(NearLoads, ThatAllHangHoldNobodyElse) {
  start(milliseconds(5));
  Crowd crowd;
  for (int i = 0; i < 8; ++i) {
    crowd.add([&] {
      try {
        cache->get("a", [&] {
          ++loads;
          wait_until([&] { return is_released.load(); });
          return Text("late");
        });
      } catch (const hotkey::LoadTimeout&) {
        ++answers;
      }
    });
  }
  wait_until([&] { return answers + static_cast<std::size_t>(loads) == 8; });
  is_released = true;
}

TEST_F(NearLoads, ThatWaitForEachOtherEnd) {
  start(milliseconds(20));
  Crowd crowd;
  const auto load_then = [&](const std::string& other) {
    ++loads;
    wait_until([&] { return loads == 2; });
    return cache->get(other, [] { return Text("inner"); });
  };
  const auto get = [&](const std::string& key, const std::string& other) {
    try {
      cache->get(key, [&] { return load_then(other); });
    } catch (const hotkey::LoadTimeout&) {
    }
    ++answers;
  };
  crowd.add([&] { get("a", "b"); });
  crowd.add([&] { get("b", "a"); });
  crowd.join();
  EXPECT_EQ(answers, 2U);
}

// Every key of the crowd is hot.
struct NearThreads : testing::Test {
  void start(const std::vector<std::string>& keys, std::size_t max_bytes = 1 << 20) {
    daemon.set_snapshot(snapshot(4, keys));
    client.emplace(hotkey::Options{.endpoint = daemon.url(), .app = "cart", .ns = "shop"});
    cache.emplace(*client, Cache::Options{.max_bytes = max_bytes});
    wait_until([&] { return client->is_hot(keys.back()); });
  }

  FakeDaemon daemon;
  std::optional<hotkey::Client> client;
  std::optional<Cache> cache;
};

TEST_F(NearThreads, NeverSeeAValueOlderThanAnInvalidationThatReturned) {
  start({"a"});
  std::atomic<int> source{0};
  std::atomic<int> told{0};
  std::atomic<bool> is_over{false};
  std::atomic<int> stale{0};
  const auto is_enough = [](const hotkey::NearStats& stats) {
    return stats.hits >= 1000 && stats.invalidations >= 100;
  };
  Crowd crowd;
  for (int i = 0; i < 3; ++i) {
    crowd.add([&] {
      while (!is_over) {
        const int told_before = told;
        const Text value = cache->get("a", [&] { return Text(std::to_string(source)); });
        if (std::stoi(*value) < told_before) ++stale;
      }
    });
  }
  for (int write = 1; write <= 2000 || !is_enough(cache->stats()); ++write) {
    source = write;
    client->invalidate("a");
    told = write;
    if (write % 16 == 0) std::this_thread::yield();
  }
  is_over = true;
  crowd.join();
  EXPECT_EQ(stale, 0);
}

TEST_F(NearThreads, ReadWholeValuesWhileCopiesComeAndGo) {
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back("key:" + std::to_string(i));
  start(keys, 40'000);
  std::atomic<int> wrong{0};
  {
    Crowd crowd;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      crowd.add([&, seed] {
        Random random(seed);
        for (int i = 0; i < 10'000; ++i) {
          const std::string& key = keys[random.below(random.below(100) + 1)];
          const auto load = [&] { return Text(key + std::string(1000, key.back())); };
          if (cache->get(key, load) != load()) ++wrong;
          if (random.below(100) == 0) client->invalidate(key);
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
  const hotkey::NearStats stats = cache->stats();
  EXPECT_GT(stats.hits, 1000U);
  EXPECT_GT(stats.evictions, 100U);
  EXPECT_LE(stats.bytes, 40'000U);
}

int exit_code_of(pid_t child) {
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(NearThreads, AChildStartsEmptyAndDoesNotWaitForItsParentsLoads) {
  start({"a"});
  EXPECT_EQ(cache->get("a", [] { return Text("parent"); }), "parent");
  std::atomic<bool> is_loading{false};
  std::atomic<bool> is_released{false};
  Crowd crowd;
  crowd.add([&] {
    cache->get("b", [&] {
      is_loading = true;
      wait_until([&] { return is_released.load(); });
      return Text("parent");
    });
  });
  wait_until([&] { return is_loading.load(); });
  const pid_t child = ::fork();
  if (child == 0) {
    const auto load = [] { return Text("child"); };
    const bool is_right = cache->get("a", load) == "child" && cache->get("b", load) == "child" &&
                          cache->stats().loads == 2 && client->invalidate("a");
    ::_exit(is_right ? 0 : 1);
  }
  EXPECT_EQ(exit_code_of(child), 0);
  is_released = true;
  crowd.join();
  EXPECT_EQ(cache->get("a", [] { return Text("again"); }), "parent");
}

TEST_F(NearThreads, ALoaderMayFork) {
  start({"a"});
  pid_t child = -1;
  const Text value = cache->get("a", [&] {
    child = ::fork();
    return Text(child == 0 ? "child" : "parent");
  });
  if (child == 0) {
    const Text again = cache->get("a", [] { return Text("again"); });
    ::_exit(value == "child" && again == "again" ? 0 : 1);
  }
  EXPECT_EQ(exit_code_of(child), 0);
  EXPECT_EQ(cache->get("a", [] { return Text("again"); }), "parent");
}

}  // namespace
}  // namespace hotkeyd::sdk
