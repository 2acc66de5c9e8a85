// What one access costs in the whole detector: hash, count, columns, triggers of three rules with different
// thresholds, decisions and ticks (1 M accesses/s of virtual time). `times_faster` compares with exact
// counting in an unordered_map<string> over the same slots, measured in the same run.
// build/release/bench/detector_bench
#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bench/support/exact_map.h"
#include "detector/detector.h"
#include "tests/support/crafted_keys.h"
#include "tests/support/zipf.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kKeys = 1'000'000;
constexpr std::size_t kStream = 1 << 20;
constexpr std::size_t kSlotAccesses = 1 << 17;  // Per slot of 100 ms: 1.3 M/s.
constexpr std::size_t kSlots = 10;

// Rows whose bytes lie one behind the other, as in a socket's buffer.
class Stream {
 public:
  explicit Stream(double exponent) {
    static constexpr const char* kPrefixes[] = {
        "product:", "user:session:", "cart:", "seckill:stock:eu-west-1:"};
    Zipf zipf(kKeys, exponent, 1);
    bytes_.reserve(kStream * 40);
    for (std::size_t row = 0; row < kStream; ++row) {
      const std::size_t key = zipf.draw();
      const std::size_t from = bytes_.size();
      bytes_ += kPrefixes[key % 4] + std::to_string(key * 2654435761U % 100'000'000);
      rows_.push_back({.key = std::string_view(bytes_).substr(from),
                       .reads = row % 16 == 0 ? 0U : 1U,
                       .writes = row % 16 == 0 ? 1U : 0U,
                       .misses = row % 16 == 1 ? 1U : 0U,
                       .local_hits = row % 16 == 2 ? 1U : 0U,
                       .bytes = 100});
    }
  }

  // Uniform over these keys, in no order.
  explicit Stream(const std::vector<std::string>& keys) {
    Random dice(1);
    bytes_.reserve(kStream * keys.front().size());
    for (std::size_t row = 0; row < kStream; ++row) {
      const std::size_t from = bytes_.size();
      bytes_ += keys[dice.below(static_cast<std::uint32_t>(keys.size()))];
      rows_.push_back({.key = std::string_view(bytes_).substr(from), .reads = 1, .bytes = 100});
    }
  }

  // The next rows, their bytes fresh in the cache.
  std::span<const Access> next(std::size_t size) {
    const std::span<const Access> rows = std::span(rows_).subspan(at_, size);
    at_ = (at_ + size) % kStream;
    unsigned touched = 0;
    for (const Access& row : rows) touched += static_cast<unsigned char>(row.key.back());
    benchmark::DoNotOptimize(touched);
    return rows;
  }

 private:
  std::size_t at_ = 0;
  std::string bytes_;
  std::vector<Access> rows_;
};

// Of this thread, so that a busy machine spoils less.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Runs slot by slot. The first two windows warm up; then the median stretch of 8192 rows and the median tick
// count, which other programs on the machine disturb least.
template <class Observe, class Tick>
double nanoseconds_per_access(benchmark::State& state, Stream& stream, std::size_t batch, Observe observe,
                              Tick tick) {
  constexpr std::size_t kStretch = 8192;
  std::vector<double> stretches;
  std::vector<double> ticks;
  const auto timed = [](std::vector<double>& times, auto work) {
    const double start = cpu_seconds();
    work();
    times.push_back(cpu_seconds() - start);
  };
  const auto one_slot = [&] {
    timed(ticks, tick);
    for (std::size_t done = 0; done < kSlotAccesses; done += kStretch) {
      const auto rows = stream.next(kStretch);
      timed(stretches, [&] {
        for (std::size_t at = 0; at < kStretch; at += batch) observe(rows.subspan(at, batch));
      });
    }
  };
  for (std::size_t slot = 0; slot < 2 * kSlots; ++slot) one_slot();
  stretches.clear();
  ticks.clear();
  for (auto _ : state) {
    const double start = cpu_seconds();
    one_slot();
    state.SetIterationTime(cpu_seconds() - start);
  }
  const double each = 1e9 * (median(stretches) / kStretch + median(ticks) / kSlotAccesses);
  state.counters["ns_tick"] = 1e9 * median(ticks) / kSlotAccesses;
  state.counters["ns_per_access"] = each;
  return each;
}

std::map<double, double>& exact_times() {  // By exponent.
  static std::map<double, double> times;
  return times;
}

void BM_ExactMap(benchmark::State& state, double exponent) {
  Stream stream(exponent);
  ExactMap exact(kSlots);
  exact_times()[exponent] = nanoseconds_per_access(
      state, stream, 512, [&](std::span<const Access> rows) { exact.count(rows); },
      [&] { exact.pass_slot(); });
}

RuleOptions rule(std::string name, std::string glob, double rate) {
  RuleOptions options;
  options.name = std::move(name);
  options.pattern = std::move(glob);
  options.promote.rate = rate;
  return options;
}

double detect(benchmark::State& state, Stream& stream, std::size_t batch) {
  DetectorOptions options;
  options.rules = {rule("product", "product:*", 1000), rule("stock", "seckill:*", 2000),
                   rule("rest", "*", 5000)};
  options.seed = 12345;
  Now now;
  Detector detector(options, now);
  const NamespaceId ns = *detector.open("shop");
  Decisions decisions;
  const double each = nanoseconds_per_access(
      state, stream, batch,
      [&](std::span<const Access> rows) { detector.observe(ns, rows, {}, now, decisions); },
      [&] {
        now.steady += options.window / options.slots;
        detector.tick(now, decisions);
        decisions.clear();
      });
  state.counters["hot_keys"] = static_cast<double>(detector.hot_keys(ns).size());
  return each;
}

void BM_Detector(benchmark::State& state, double exponent, std::size_t batch) {
  Stream stream(exponent);
  const double each = detect(state, stream, batch);
  if (exact_times().contains(exponent)) state.counters["times_faster"] = exact_times()[exponent] / each;
}

// A hash flood: keys that all fall into one bucket of a table with a known seed, against as many that were
// not chosen, measured just before.
double& ordinary_time() {
  static double time = 0;
  return time;
}

constexpr std::size_t kFloodKeys = 4096;

void BM_OrdinaryKeys(benchmark::State& state) {
  Stream stream(ordinary_keys(kFloodKeys));
  ordinary_time() = detect(state, stream, 64);
}

void BM_HashFlood(benchmark::State& state) {
  Stream stream(crafted_keys(kFloodKeys, 4096));
  const double each = detect(state, stream, 64);
  state.counters["of_normal_speed"] = ordinary_time() / each;
}

BENCHMARK_CAPTURE(BM_ExactMap, zipf, 1.1)->UseManualTime();
BENCHMARK_CAPTURE(BM_Detector, zipf_batches_of_64, 1.1, 64)->UseManualTime();
BENCHMARK_CAPTURE(BM_Detector, zipf_batches_of_512, 1.1, 512)->UseManualTime();
BENCHMARK_CAPTURE(BM_ExactMap, uniform, 0)->UseManualTime();
BENCHMARK_CAPTURE(BM_Detector, uniform_batches_of_64, 0, 64)->UseManualTime();
BENCHMARK_CAPTURE(BM_Detector, uniform_batches_of_512, 0, 512)->UseManualTime();
BENCHMARK(BM_OrdinaryKeys)->UseManualTime();
BENCHMARK(BM_HashFlood)->UseManualTime();

}  // namespace
}  // namespace hotkeyd

BENCHMARK_MAIN();
