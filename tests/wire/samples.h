// One stream, one key's data and one report, as the golden files hold them.
#pragma once

#include "wire/event.h"
#include "wire/report.h"

namespace hotkeyd {

constexpr std::int64_t kAtMs = 1'796'053'922'113;  // 2026-11-30T15:52:02.113Z

inline Stream sample_stream() { return {.node = "web-17", .epoch = 1'796'053'922'000, .ns = "shop"}; }

inline KeyData sample_data() {
  KeyData data;
  data.key = "seckill:product:10001";
  data.seq = 42;
  data.rule = "product";
  data.reason = "rate";
  data.count = 1003;
  data.rate = 1003;
  data.share = 0.31;
  data.reads = 1003;
  data.bytes = 148'000;
  data.detected_at_ms = kAtMs;
  data.actions.near_cache = EventNearCache{.ttl_ms = 1000, .max_value_bytes = 1'048'576};
  return data;
}

// Every member unlike its default, and a key that is not UTF-8.
inline KeyData full_data() {
  KeyData data;
  data.key = std::string("\xff\0\xc3(", 4);
  data.seq = 43;
  data.scope = "fleet";
  data.key_class = "mixed";
  data.level = "split";
  data.reason = "level";
  data.count = 5400;
  data.rate = 5400;
  data.error = 17;
  data.share = 0.123456;
  data.reads = 4000;
  data.writes = 1400;
  data.misses = 30;
  data.local_hits = 2000;
  data.bytes = 9'000'000'000;
  data.window_ms = 60'000;
  data.sample = 4;
  data.detected_at_ms = kAtMs - 5000;
  data.lease_ms = 12'000;
  data.actions = {.near_cache = std::nullopt, .hot_pool_copies = 4, .split_shards = 16, .alert = true};
  return data;
}

inline Report sample_report() {
  Report report;
  report.ns = "shop";
  report.producer = "cart:web-17/47.1";
  report.epoch = 1'796'053'900'000;
  report.seq = 7;
  report.rows = {
      {.key = "product:1", .reads = 12, .writes = 1, .misses = 2, .local_hits = 9, .bytes = 148'000},
      {.key = std::string_view("\0\r\n", 3), .reads = 0, .writes = 3}};
  report.age_ms = 103;
  report.sample = 10;
  report.totals = ReportTotals{.recorded = 1000, .dropped = 20};
  report.near = NearCacheFigures{.hits = 1, .loads = 2, .entries = 3, .bytes = 4, .oldest_ms = 5};
  return report;
}

}  // namespace hotkeyd
