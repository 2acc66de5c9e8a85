// What one access costs in the counter: hash, table, candidates with columns and three different triggers,
// and the passing of slots (a slot every 100,000 accesses, as at 1 M/s). `times_faster` compares with exact
// counting in an unordered_map<string> over the same slots, measured in the same run.
// build/release/bench/counter_bench
#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "bench/support/exact_map.h"
#include "detector/access_math.h"
#include "detector/counter.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kKeys = 1'000'000;
constexpr std::size_t kStream = 1 << 21;
constexpr std::size_t kChunk = 1024;  // Accesses between two looks at the clock.
constexpr std::size_t kBatch = 256;   // Accesses of a call.
constexpr std::size_t kSlotAccesses = 100'000;

// Names as applications choose them, 8 to 40 bytes.
std::string name_of(std::size_t key) {
  static constexpr const char* kPrefixes[] = {
      "product:", "user:session:", "cart:", "seckill:stock:eu-west-1:"};
  return kPrefixes[key % 4] + std::to_string(key * 2654435761U % 100'000'000);
}

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made;
    for (std::size_t key = 0; key < kKeys; ++key) made.push_back(name_of(key));
    return made;
  }();
  return all;
}

// Draws key numbers; exponent 0 is uniform.
class Zipf {
 public:
  explicit Zipf(double exponent) : cumulated_(kKeys) {
    double sum = 0;
    for (std::size_t key = 0; key < kKeys; ++key) {
      sum += std::pow(static_cast<double>(key + 1), -exponent);
      cumulated_[key] = sum;
    }
  }
  std::size_t draw(Random& random) const {
    const double wanted = random.fraction() * cumulated_.back();
    return static_cast<std::size_t>(std::upper_bound(cumulated_.begin(), cumulated_.end(), wanted) -
                                    cumulated_.begin());
  }

 private:
  std::vector<double> cumulated_;
};

std::vector<std::uint32_t> stream(double exponent) {
  const Zipf zipf(exponent);
  Random random(1);
  std::vector<std::uint32_t> keys(kStream);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(std::min(zipf.draw(random), kKeys - 1));
  return keys;
}

// A stream of rows, handed out chunk by chunk. Their bytes lie one behind the other, as in a socket's buffer,
// and are in the cache when a chunk is handed out; or each is wherever its key is in memory.
class Rows {
 public:
  Rows(double exponent, bool in_cache) : in_cache_(in_cache) {
    const std::vector<std::uint32_t> keys = stream(exponent);
    if (in_cache) bytes_.reserve(kStream * 40);
    rows_.reserve(kStream);
    for (const std::uint32_t key : keys) rows_.push_back(row(names()[key]));
  }

  std::span<const Access> next() {
    const std::span<const Access> chunk{&rows_[at_], kChunk};
    at_ = (at_ + kChunk) % kStream;
    std::size_t touched = 0;
    for (const Access& access : chunk)
      touched += in_cache_ && access.key.back() == '7' ? 1 : access.key.size();
    benchmark::DoNotOptimize(touched);
    return chunk;
  }

 private:
  Access row(std::string_view name) {
    if (in_cache_) {
      bytes_.append(name);
      name = std::string_view{bytes_}.substr(bytes_.size() - name.size());
    }
    const std::size_t kind = rows_.size() % 16;
    return {.key = name,
            .reads = kind == 0 ? 0U : 1U,
            .writes = kind == 0 ? 1U : 0U,
            .misses = kind == 1 ? 1U : 0U,
            .local_hits = kind == 2 ? 1U : 0U,
            .bytes = 100};
  }

  bool in_cache_;
  std::size_t at_ = 0;
  std::string bytes_;
  std::vector<Access> rows_;
};

class ThreeRules : public CandidateListener {
 public:
  Triggers appeared(CandidateId, std::string_view key) override {
    constexpr std::uint32_t kThresholds[] = {1000, 2000, 5000};
    return {.count = kThresholds[key.size() % 3], .writes = 100, .misses = 500};
  }
  Triggers reached(CandidateId) override { return {}; }
  void forgotten(CandidateId) override {}
};

// Of this thread, so that a busy machine spoils less.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Runs two windows, then as many slots as asked. ns_mean is the mean of everything, ns_per_access the median
// chunk plus the median passing of a slot, which other programs on the machine disturb least.
template <class Count, class PassSlot>
double nanoseconds_per_access(benchmark::State& state, Rows& rows, Count count, PassSlot pass_slot) {
  constexpr std::size_t kChunks = kSlotAccesses / kChunk;
  constexpr double kAccesses = kChunks * kChunk;
  Slot slot = 0;
  std::vector<double> chunks;
  std::vector<double> passes;
  const auto timed = [](std::vector<double>& times, auto work) {
    const double start = cpu_seconds();
    work();
    times.push_back(cpu_seconds() - start);
  };
  const auto one_slot = [&] {
    timed(passes, [&] { pass_slot(++slot); });
    for (std::size_t chunk = 0; chunk < kChunks; ++chunk) {
      const std::span<const Access> some = rows.next();
      timed(chunks, [&] { count(some, slot); });
    }
  };
  while (slot < 20) one_slot();
  chunks.clear();
  passes.clear();
  for (auto _ : state) {
    const double start = cpu_seconds();
    one_slot();
    state.SetIterationTime(cpu_seconds() - start);
  }
  const double spent =
      std::accumulate(chunks.begin(), chunks.end(), 0.0) + std::accumulate(passes.begin(), passes.end(), 0.0);
  state.counters["ns_mean"] = 1e9 * spent / kAccesses / static_cast<double>(passes.size());
  state.counters["ns_slot"] = 1e9 * median(passes) / kAccesses;
  const double each = 1e9 * (median(chunks) / kChunk + median(passes) / kAccesses);
  state.counters["ns_per_access"] = each;
  return each;
}

// Measured by BM_ExactMap, by exponent.
std::unordered_map<double, double>& exact_times() {
  static std::unordered_map<double, double> times;
  return times;
}

void BM_ExactMap(benchmark::State& state, double exponent) {
  Rows rows(exponent, true);
  ExactMap exact(10);
  exact_times()[exponent] = nanoseconds_per_access(
      state, rows, [&](std::span<const Access> some, Slot) { exact.count(some); },
      [&](Slot) { exact.pass_slot(); });
}

void BM_Counter(benchmark::State& state, double exponent, bool in_cache, CounterOptions options) {
  Rows rows(exponent, in_cache);
  ThreeRules listener;
  Counter counter(options, listener);
  const KeyHash hash{12345};
  std::vector<std::uint64_t> hashes(kBatch);
  const auto count = [&](std::span<const Access> some, Slot slot) {
    for (std::size_t from = 0; from < some.size(); from += kBatch) {
      const std::span<const Access> batch = some.subspan(from, kBatch);
      hash_keys(hash, batch, hashes);
      counter.observe(batch, hashes, slot, 1, 1);
    }
  };
  const double each = nanoseconds_per_access(state, rows, count, [&](Slot slot) {
    counter.tick(slot);
    counter.observe({}, {}, slot, 1, 1);
  });
  state.counters["candidates"] = static_cast<double>(counter.stats().candidates);
  if (exact_times().contains(exponent)) state.counters["times_faster"] = exact_times()[exponent] / each;
}

void BM_HashOnly(benchmark::State& state, double exponent) {
  Rows rows(exponent, true);
  const KeyHash hash{12345};
  std::vector<std::uint64_t> hashes(kChunk);
  const auto count = [&](std::span<const Access> some, Slot) {
    hash_keys(hash, some, hashes);
    benchmark::DoNotOptimize(hashes.data());
  };
  nanoseconds_per_access(state, rows, count, [](Slot) {});
}

CounterOptions decaying() {
  CounterOptions options;
  options.admission = Admission::heavy_keeper;
  return options;
}

CounterOptions plain() {
  CounterOptions options;
  options.vectorized = false;
  return options;
}

BENCHMARK_CAPTURE(BM_ExactMap, zipf, 1.1)->UseManualTime();
BENCHMARK_CAPTURE(BM_ExactMap, uniform, 0)->UseManualTime();
BENCHMARK_CAPTURE(BM_HashOnly, zipf, 1.1)->UseManualTime();
BENCHMARK_CAPTURE(BM_Counter, zipf, 1.1, true, CounterOptions{})->UseManualTime();
BENCHMARK_CAPTURE(BM_Counter, uniform, 0, true, CounterOptions{})->UseManualTime();
BENCHMARK_CAPTURE(BM_Counter, zipf_from_memory, 1.1, false, CounterOptions{})->UseManualTime();
BENCHMARK_CAPTURE(BM_Counter, zipf_plain, 1.1, true, plain())->UseManualTime();
BENCHMARK_CAPTURE(BM_Counter, uniform_plain, 0, true, plain())->UseManualTime();
BENCHMARK_CAPTURE(BM_Counter, zipf_heavy_keeper, 1.1, true, decaying())->UseManualTime();

}  // namespace
}  // namespace hotkeyd

BENCHMARK_MAIN();
