// What the SDK costs the application: recording and asking, on one thread and on two, without a daemon.
//
//   build/release/bench/sdk_bench --benchmark_repetitions=5
// Time is per call and thread; with two threads that scale it stays what it was with one.
#include <benchmark/benchmark.h>

#include <array>
#include <string>

#include "hotkey/client.h"
#include "sdk/cpp/src/hot_set.h"
#include "sdk/cpp/src/key_hash.h"

namespace {

constexpr std::size_t kKeys = 64;

hotkey::Client& client() {
  static hotkey::Client client(
      {.endpoint = "unix:///nonexistent/hotkeyd.sock", .app = "bench", .ns = "shop"});
  return client;
}

std::array<std::string, kKeys> make_keys() {
  std::array<std::string, kKeys> keys;
  for (std::size_t i = 0; i < kKeys; ++i) keys[i] = "seckill:product:" + std::to_string(10'000 + i);
  return keys;
}

void record_read(benchmark::State& state) {
  const auto keys = make_keys();
  std::size_t at = 0;
  for (auto _ : state) client().record_read(keys[at++ % kKeys], 148);
}
BENCHMARK(record_read)->Threads(1)->Threads(2)->UseRealTime();

void is_hot_without_daemon(benchmark::State& state) {
  const auto keys = make_keys();
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(client().is_hot(keys[at++ % kKeys]));
}
BENCHMARK(is_hot_without_daemon)->Threads(1)->Threads(2)->UseRealTime();

// The look-up behind is_hot in a hot set of 10,000 keys: every second key is hot.
void hot_set(benchmark::State& state) {
  static const hotkeyd::sdk::SdkHash hash(1);
  static hotkeyd::sdk::HotSet& set = *[] {
    static hotkeyd::sdk::HotSet filled;
    const auto keys = make_keys();
    for (std::size_t i = 0; i < kKeys; i += 2) filled.insert(hash(keys[i]));
    for (int i = 0; i < 10'000; ++i) filled.insert(hash("other:" + std::to_string(i)));
    return &filled;
  }();
  const auto keys = make_keys();
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(set.contains(hash(keys[at++ % kKeys])));
}
BENCHMARK(hot_set)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
