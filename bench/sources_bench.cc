// Speed of reading recordings, cut into lines and parsed to accesses, from chunks of 64 KiB; and of the
// command table.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resp/command_table.h"
#include "sources/parse_csv.h"
#include "sources/parse_monitor.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kDumpBytes = std::size_t{4} << 20;
constexpr std::size_t kChunk = std::size_t{64} << 10;

// Reads and writes of 9 to 1; `value` is what SET writes, as MONITOR prints it.
std::string monitor_dump(const std::string& value) {
  std::string dump;
  for (int i = 0; dump.size() < kDumpBytes; ++i) {
    dump += "1796052153." + std::to_string(100'000 + i % 900'000) +
            " [0 10.0.0.7:" + std::to_string(40'000 + i % 99) + "] ";
    const std::string key = "\"seckill:product:" + std::to_string(10'001 + i * 7 % 5000) + "\"";
    dump += i % 10 == 0 ? "\"SET\" " + key + " \"" + value + "\"\r\n" : "\"GET\" " + key + "\r\n";
  }
  return dump;
}

std::string csv_trace() {
  std::string trace;
  for (int i = 0; trace.size() < kDumpBytes; ++i) {
    trace += "1796052153." + std::to_string(100'000 + i % 900'000) +
             ",seckill:product:" + std::to_string(i * 7 % 5000) + (i % 10 == 0 ? ",SET,148\n" : ",GET,148\n");
  }
  return trace;
}

template <typename Parser>
void read(benchmark::State& state, const std::string& recording, LineOptions options) {
  std::int64_t lines = 0;
  for (auto _ : state) {
    LineSplitter splitter(options);
    Parser parser;
    for (std::string_view rest = recording; !rest.empty();
         rest.remove_prefix(std::min(kChunk, rest.size()))) {
      splitter.feed(rest.substr(0, kChunk));
      for (; const auto line = splitter.next(); ++lines) {
        auto accesses = parser.parse(*line);
        benchmark::DoNotOptimize(accesses);
      }
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(recording.size()));
  state.SetItemsProcessed(lines);
}

void read_monitor(benchmark::State& state) {
  read<MonitorParser>(state, monitor_dump("148 bytes or so"), {});
}
BENCHMARK(read_monitor);

void read_monitor_with_escaped_values(benchmark::State& state) {
  std::string value;
  for (int i = 0; i < 100; ++i) value += R"({\"a\":\"\xe9\x94\xae\"})";
  read<MonitorParser>(state, monitor_dump(value), {});
}
BENCHMARK(read_monitor_with_escaped_values);

void read_csv(benchmark::State& state) { read<CsvParser>(state, csv_trace(), {.quoted = true}); }
BENCHMARK(read_csv);

void find_keys(benchmark::State& state) {
  const std::vector<std::vector<std::string_view>> commands = {{"GET", "k"},
                                                               {"HGETALL", "k"},
                                                               {"SET", "k", "v", "PX", "100"},
                                                               {"MGET", "a", "b", "c"},
                                                               {"XINFO", "STREAM", "k"}};
  std::array<KeyArgument, 8> keys;
  for (auto _ : state) {
    for (const auto& command : commands) benchmark::DoNotOptimize(keys_of(command, keys));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(commands.size()));
}
BENCHMARK(find_keys);

}  // namespace
}  // namespace hotkeyd

BENCHMARK_MAIN();
