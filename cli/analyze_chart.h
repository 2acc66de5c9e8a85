// The charts of an analysis, in SVG for a page. Pure.
#pragma once

#include <string>
#include <string_view>

#include "analyze/report.h"

namespace hotkeyd {

// & < > " ' as entities.
std::string html_escape(std::string_view text);

// A row for each of the 40 keys that saved most, a bar for each of its episodes: darker where hotter.
std::string timeline_chart(const AnalysisReport& report);

// The curve of the top shares with its error, over the logarithm of the number of keys.
std::string share_chart(const AnalysisReport& report);

}  // namespace hotkeyd
