// Speed of `hotkeyctl analyze` beside that of reading lines alone, and the memory it takes.
//
// A dump of 9 reads to 1 write over 100,000 keys with a tail, 50,000 accesses a second, is played from memory
// by the recording's time. The peak resident size is printed for each size: it does not grow with the dump.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

#include "analyze/merge.h"
#include "analyze/replay.h"

namespace hotkeyd {
namespace {

constexpr int kLinesOfBlock = 200'000;
constexpr int kRate = 50'000;

// Lines as they come, all of one block but the seconds, which go on from block to block.
class EndlessDump final : public ByteSource {
 public:
  explicit EndlessDump(std::size_t bytes) : left_(bytes) { make_block(); }

  Result<std::size_t> read(std::span<char> buffer) override {
    if (at_ == block_.size()) make_block();
    const std::size_t size = std::min({buffer.size(), left_, block_.size() - at_});
    std::memcpy(buffer.data(), block_.data() + at_, size);
    at_ += size;
    left_ -= size;
    return size;
  }

 private:
  void make_block() {
    at_ = 0;
    if (!block_.empty()) return advance_seconds();
    std::mt19937_64 dice(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::string line(256, '\0');
    for (int i = 0; i < kLinesOfBlock; ++i) {
      const int key = static_cast<int>(std::pow(100'000.0, uniform(dice)));  // About 1 / rank.
      const int size =
          std::snprintf(line.data(), line.size(),
                        i % 10 == 0 ? "%d.%06d [0 10.0.0.7:40000] \"SET\" \"product:%d\" \"value\"\n"
                                    : "%d.%06d [0 10.0.0.7:40000] \"GET\" \"product:%d\"\n",
                        1'700'000'000 + i / kRate, i % kRate * (1'000'000 / kRate), key);
      starts_.push_back(block_.size());
      block_.append(line, 0, static_cast<std::size_t>(size));
    }
  }

  void advance_seconds() {
    ++round_;
    for (int i = 0; i < kLinesOfBlock; ++i) {
      const std::string seconds =
          std::to_string(1'700'000'000 + round_ * (kLinesOfBlock / kRate) + i / kRate);
      std::memcpy(block_.data() + starts_[static_cast<std::size_t>(i)], seconds.data(), seconds.size());
    }
  }

  std::string block_;
  std::vector<std::size_t> starts_;
  std::size_t at_ = 0;
  std::size_t left_;
  int round_ = 0;
};

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void finish(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * (state.range(0) << 20));
  state.counters["peak_MiB"] = peak_mib();
}

void lines_only(benchmark::State& state) {
  for (auto _ : state) {
    EndlessDump dump(static_cast<std::size_t>(state.range(0)) << 20);
    std::vector<char> chunk(std::size_t{256} << 10);
    LineSplitter splitter;
    while (const std::size_t size = *dump.read(chunk)) {
      splitter.feed({chunk.data(), size});
      while (auto line = splitter.next()) benchmark::DoNotOptimize(line);
    }
  }
  finish(state);
}

void analyze(benchmark::State& state) {
  for (auto _ : state) {
    EndlessDump dump(static_cast<std::size_t>(state.range(0)) << 20);
    Recording recording(dump);
    Merge merge({&recording});
    ReplayOptions options;
    options.detector.rules = {default_rule()};
    Replay replay(options);
    while (const ParsedAccess* access = merge.next()) replay.take(*access);
    benchmark::DoNotOptimize(replay.finish());
  }
  finish(state);
}

BENCHMARK(lines_only)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(analyze)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace hotkeyd

BENCHMARK_MAIN();
