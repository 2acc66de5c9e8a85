// Statistics as text: for /metrics in the Prometheus text format, for HOTKEY STATS as one JSON object.
//
// Both show the same samples under the same names; STATS leaves out the prefix hotkeyd_. What is promised is
// always there, with 0 where nothing happened yet, so that rates and alerts work from the first scrape. No
// key is ever in a label. Pure; any thread.
#pragma once

#include <string>

#include "metrics/stats.h"

namespace hotkeyd {

std::string to_prometheus_text(const AllStats& stats);

// {"source_accesses_total{source=\"report\",ns=\"shop\"}":370,...}
std::string to_stats_json(const AllStats& stats);

}  // namespace hotkeyd
