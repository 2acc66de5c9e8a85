// Speed of the RESP request parser and of the command writer on reports as SDKs send them.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resp/request_parser.h"
#include "resp/writer.h"

namespace hotkeyd {
namespace {

// HOTKEY REPORT of `rows` rows, six arguments each, keys of about 20 bytes.
std::vector<std::string> report_arguments(int rows) {
  std::vector<std::string> arguments = {"HOTKEY", "REPORT", "shop", "cart-7f3a", "1796053922000", "42"};
  arguments.push_back(std::to_string(rows));
  for (int row = 0; row < rows; ++row) {
    arguments.push_back("seckill:product:" + std::to_string(10'001 + row * 7));
    for (const char* column : {"1", "0", "0", "0", "148"}) arguments.emplace_back(column);
  }
  return arguments;
}

std::vector<std::string_view> views(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

std::string report(int rows) {
  const auto arguments = report_arguments(rows);
  std::string frame;
  append_command(frame, views(arguments));
  return frame;
}

void set_figures(benchmark::State& state, std::size_t frame_bytes, std::int64_t rows) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(frame_bytes));
  state.SetItemsProcessed(state.iterations() * rows);  // Items are rows.
  state.counters["ns_per_argument"] =
      benchmark::Counter(static_cast<double>(state.iterations() * (7 + 6 * rows)) / 1e9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void parse_report(benchmark::State& state) {
  const std::string frame = report(static_cast<int>(state.range(0)));
  RequestParser parser;
  for (auto _ : state) {
    auto outcome = parser.parse(frame);
    benchmark::DoNotOptimize(outcome);
    benchmark::DoNotOptimize(parser.arguments().data());
  }
  set_figures(state, frame.size(), state.range(0));
}
BENCHMARK(parse_report)->Arg(1)->Arg(16)->Arg(512)->Arg(10'000);

void parse_report_in_two_reads(benchmark::State& state) {
  const std::string frame = report(static_cast<int>(state.range(0)));
  RequestParser parser;
  for (auto _ : state) {
    parser.parse(std::string_view(frame).substr(0, frame.size() / 2));
    auto outcome = parser.parse(frame);
    benchmark::DoNotOptimize(outcome);
  }
  set_figures(state, frame.size(), state.range(0));
}
BENCHMARK(parse_report_in_two_reads)->Arg(512);

void write_report(benchmark::State& state) {
  const auto strings = report_arguments(static_cast<int>(state.range(0)));
  const auto arguments = views(strings);
  std::string frame;
  for (auto _ : state) {
    frame.clear();
    append_command(frame, arguments);
    benchmark::DoNotOptimize(frame.data());
  }
  set_figures(state, frame.size(), state.range(0));
}
BENCHMARK(write_report)->Arg(512);

}  // namespace
}  // namespace hotkeyd

BENCHMARK_MAIN();
