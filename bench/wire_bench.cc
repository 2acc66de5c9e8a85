// How long one row of a report, one batch of the ledger and one event take.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "resp/request_parser.h"
#include "wire/event.h"
#include "wire/ledger.h"
#include "wire/report.h"

namespace hotkeyd {
namespace {

std::vector<std::string> make_keys(std::size_t count) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < count; ++i) keys.push_back("product:" + std::to_string(1'000'000 + i));
  return keys;
}

// Mostly one digit numbers, as aggregated batches of a long tail hold.
std::string make_report(const std::vector<std::string>& keys) {
  Random random(1);
  Report report;
  report.ns = "shop";
  report.producer = "cart:web-17/47";
  report.epoch = 1'796'053'922'000;
  report.seq = 12'345'678;
  for (const std::string& key : keys)
    report.rows.push_back({.key = key, .reads = 1 + random.below(9), .bytes = 0});
  report.totals = ReportTotals{.recorded = 1'000'000, .dropped = 0};
  std::string bytes;
  append_report(bytes, report);
  return bytes;
}

void decode_rows(benchmark::State& state) {
  const std::string bytes = make_report(make_keys(static_cast<std::size_t>(state.range(0))));
  RequestParser parser;
  parser.parse(bytes);
  const auto arguments = parser.arguments().subspan(2);
  Report report;
  for (auto _ : state) benchmark::DoNotOptimize(decode_report(arguments, report).has_value());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(decode_rows)->Arg(32)->Arg(512);

void parse_and_decode_rows(benchmark::State& state) {
  const std::string bytes = make_report(make_keys(static_cast<std::size_t>(state.range(0))));
  RequestParser parser;
  Report report;
  for (auto _ : state) {
    parser.parse(bytes);
    benchmark::DoNotOptimize(decode_report(parser.arguments().subspan(2), report).has_value());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(parse_and_decode_rows)->Arg(32)->Arg(512);

void encode_rows(benchmark::State& state) {
  const auto keys = make_keys(512);
  const std::string bytes = make_report(keys);
  RequestParser parser;
  parser.parse(bytes);
  Report report;
  if (!decode_report(parser.arguments().subspan(2), report)) state.SkipWithError("no report");
  std::string out;
  for (auto _ : state) {
    out.clear();
    append_report(out, report);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * 512);
}
BENCHMARK(encode_rows);

// Batches of `producers` processes in turn.
void admit_batches(benchmark::State& state) {
  Ledger ledger;
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < state.range(0); ++i) names.push_back("cart:web-17/" + std::to_string(i));
  std::uint64_t batch = 0;
  for (auto _ : state) {
    const std::uint64_t seq = 1 + batch / names.size();
    benchmark::DoNotOptimize(ledger.admit({.producer = names[batch % names.size()],
                                           .epoch = 1,
                                           .seq = seq,
                                           .accesses = 10,
                                           .totals = ReportTotals{seq * 10, 0}}));
    ++batch;
  }
}
BENCHMARK(admit_batches)->Arg(1)->Arg(100)->Arg(10'000);

// Every batch forgets a producer.
void admit_strangers(benchmark::State& state) {
  Ledger ledger;
  std::uint64_t batch = 0;
  std::string name = "cart:web-17/";
  for (auto _ : state) {
    name.resize(12);
    name += std::to_string(batch++);
    benchmark::DoNotOptimize(
        ledger.admit({.producer = name, .epoch = 1, .seq = 1, .accesses = 1, .totals = {}}));
  }
}
BENCHMARK(admit_strangers);

KeyData make_data(std::size_t key_bytes) {
  KeyData data;
  data.key = "product:" + std::string(key_bytes, '\n');
  data.seq = 42;
  data.rule = "product";
  data.reason = "rate";
  data.actions.near_cache = EventNearCache{.ttl_ms = 1000, .max_value_bytes = 1 << 20};
  return data;
}

void encode_promoted(benchmark::State& state) {
  const Stream stream{.node = "web-17", .epoch = 1'796'053'922'000, .ns = "shop"};
  const KeyData data = make_data(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(encode_key_event(stream, EventType::promoted, data, 1'796'053'922'113));
  }
}
BENCHMARK(encode_promoted)->Arg(16)->Arg(65'000);

void decode_promoted(benchmark::State& state) {
  const Stream stream{.node = "web-17", .epoch = 1'796'053'922'000, .ns = "shop"};
  const auto event = encode_key_event(stream, EventType::promoted,
                                      make_data(static_cast<std::size_t>(state.range(0))), 1'796'053'922'113);
  for (auto _ : state) benchmark::DoNotOptimize(decode_event(event).has_value());
}
BENCHMARK(decode_promoted)->Arg(16)->Arg(65'000);

}  // namespace
}  // namespace hotkeyd

BENCHMARK_MAIN();
