// What a near-cache hit costs, recording and deadline included, on one thread and on two that read the same
// key; beside it a locked map with deadlines that records nothing, and what a key that is not hot pays
// besides its loader.
//
//   build/release/bench/near_cache_bench --benchmark_repetitions=5
// Time is per call and thread; with two threads that scale it stays what it was with one.
#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

#include "hotkey/near_cache.h"
#include "tests/sdk/fake_daemon.h"
#include "wire/event.h"

namespace {

using hotkeyd::EventNearCache;
using hotkeyd::KeyData;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kKeys = 64;

struct Product {
  std::int64_t id = 0;
  std::int64_t cents = 0;
  std::array<char, 128> name{};
};

std::array<std::string, kKeys> make_keys() {
  std::array<std::string, kKeys> keys;
  for (std::size_t i = 0; i < kKeys; ++i) keys[i] = "seckill:product:" + std::to_string(10'000 + i);
  return keys;
}

const std::array<std::string, kKeys>& keys() {
  static const std::array<std::string, kKeys> keys = make_keys();
  return keys;
}

std::optional<Product> load() { return Product{.id = 1, .cents = 999, .name = {}}; }

std::string everything_hot() {
  const hotkeyd::Stream from{"bench", 1, "shop"};
  std::vector<std::string> entries;
  for (const std::string& key : keys()) {
    KeyData data;
    data.key = key;
    data.actions.near_cache = EventNearCache{3'600'000, 1 << 20};
    entries.push_back(encode_key_data(from, data));
  }
  return encode_snapshot_part(from, 1, 0, 3'600'000, 1, 1, entries);
}

// A client whose keys are all hot, and a cache that holds them.
struct Shop {
  Shop() {
    daemon.set_snapshot(everything_hot());
    client.emplace(hotkey::Options{.endpoint = daemon.url(), .app = "bench", .ns = "shop"});
    cache.emplace(*client);
    const auto end = SteadyClock::now() + std::chrono::seconds(10);
    while (cache->stats().entries < kKeys) {
      for (const std::string& key : keys()) cache->get(key, load);
      if (SteadyClock::now() > end)
        std::fprintf(stderr, "near_cache_bench: the keys never became hot\n"), std::exit(1);
    }
  }

  hotkeyd::sdk::FakeDaemon daemon;
  std::optional<hotkey::Client> client;
  std::optional<hotkey::NearCache<Product>> cache;
};

Shop& shop() {
  static auto* const shop = new Shop;
  return *shop;
}

// What one writes first: a lock, a map, a deadline.
class LockedMap {
 public:
  template <typename Load>
  std::optional<Product> get(const std::string& key, Load&& load) {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[key];
    const auto now = SteadyClock::now();
    if (now >= entry.deadline) entry = {load(), now + std::chrono::hours(1)};
    return entry.product;
  }

 private:
  struct Entry {
    std::optional<Product> product = {};
    SteadyClock::time_point deadline{};
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
};

void near_hit(benchmark::State& state) {
  auto& cache = *shop().cache;
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(cache.get(keys()[at++ % kKeys], load));
}
BENCHMARK(near_hit)->Threads(1)->Threads(2)->UseRealTime();

void near_hit_same_key(benchmark::State& state) {
  auto& cache = *shop().cache;
  for (auto _ : state) benchmark::DoNotOptimize(cache.get(keys()[0], load));
}
BENCHMARK(near_hit_same_key)->Threads(1)->Threads(2)->UseRealTime();

void locked_map_hit_same_key(benchmark::State& state) {
  static LockedMap map;
  for (auto _ : state) benchmark::DoNotOptimize(map.get(keys()[0], load));
}
BENCHMARK(locked_map_hit_same_key)->Threads(1)->Threads(2)->UseRealTime();

void never_hot(benchmark::State& state) {
  auto& cache = *shop().cache;
  const std::string key = "cold:" + std::to_string(state.thread_index());
  for (auto _ : state) benchmark::DoNotOptimize(cache.get(key, load));
}
BENCHMARK(never_hot)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
