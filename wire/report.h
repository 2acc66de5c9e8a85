// HOTKEY REPORT: a batch of accesses, as arguments of a command (docs/protocol.md).
//
//   HOTKEY REPORT ns producer epoch seq n row*n [option...], row = key reads writes misses local_hits bytes
//
// Decoding is zero copy: keys are views into the arguments. Pure; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hotkeyd {

inline constexpr std::size_t kReportRowWords = 6;  // key reads writes misses local_hits bytes

struct ReportRow {
  std::string_view key;  // Any bytes, also empty or oversize: the caller skips and counts those.
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;
  std::uint64_t local_hits = 0;
  std::uint64_t bytes = 0;
};

struct ReportTotals {
  std::uint64_t recorded = 0;  // Of this and all earlier batches of the epoch, those dropped included.
  std::uint64_t dropped = 0;
};

struct NearCacheFigures {
  std::uint64_t hits = 0;
  std::uint64_t loads = 0;
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t oldest_ms = 0;
};

struct Report {
  std::string_view ns;
  std::string_view producer;
  std::uint64_t epoch = 0;
  std::uint64_t seq = 0;
  std::vector<ReportRow> rows;
  std::uint64_t age_ms = 100;
  std::uint64_t sample = 1;
  std::optional<ReportTotals> totals;
  std::optional<NearCacheFigures> near;
};

// `arguments` are those after "HOTKEY REPORT". Fills `report` (its rows are reused, so that a warm decoder
// does not allocate). Errors are the text behind "-ERR ": "row 3: misses are more than reads"; then nothing
// of the batch may count. Checks producer, numbers, n, each row and the options, but not whether the
// namespace exists.
Result<void> decode_report(std::span<const std::string_view> arguments, Report& report);

// Appends the whole command, "HOTKEY" "REPORT" included.
void append_report(std::string& out, const Report& report);

}  // namespace hotkeyd
