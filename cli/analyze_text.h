// An analysis as a table, as JSON and as a page. Pure; whatever bytes keys hold, what comes out is printable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/report.h"

namespace hotkeyd {

// Of the input as a whole.
struct AnalyzedInput {
  std::uint64_t lines = 0;
  std::uint64_t bad_lines = 0;
  std::vector<std::string> files = {};  // As they were named; any bytes.
};

std::string analysis_table(const AnalysisReport& report, const AnalyzedInput& input);

// One object and a line feed: {"episodes":[...],"totals":{...}}, docs/analyze.md. Times are Unix seconds.
std::string analysis_json(const AnalysisReport& report, const AnalyzedInput& input);

// One self-contained HTML page with charts in SVG: no script, nothing that is loaded, no network. It shows
// the names of the first 10 files, the 40 keys that saved most in the chart and the first 1000 episodes in
// the table.
std::string analysis_page(const AnalysisReport& report, const AnalyzedInput& input);

}  // namespace hotkeyd
