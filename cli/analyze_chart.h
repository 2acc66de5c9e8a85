// The charts of an analysis, as HTML and SVG for a page, whose style sheet colours and lays them out. Pure.
#pragma once

#include <string>
#include <string_view>

#include "analyze/report.h"

namespace hotkeyd {

// & < > " ' as entities.
std::string html_escape(std::string_view text);

// A row for each of the 40 keys that saved most, a bar for each of its episodes in one of four colours, each
// twice as hot as the one before. Nothing where no key was hot.
std::string timeline_chart(const AnalysisReport& report);

// The curve of the top shares with its error. Nothing without accesses.
std::string share_chart(const AnalysisReport& report);

}  // namespace hotkeyd
