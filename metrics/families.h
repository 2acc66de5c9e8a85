// Statistics as metric families of prometheus-cpp's core library. Names are a promise (docs/metrics.md).
//
// The components count in plain integers; here, at scrape time only, they become families. Pure.
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

#include "metrics/stats.h"

namespace hotkeyd {

using Families = std::vector<prometheus::MetricFamily>;

Families families_of(const AllStats& stats);

// The parts, one source file each; they append.
void add_source_families(const DataStats& stats, Families& out);
void add_detector_families(const DataStats& stats, Families& out);
void add_server_families(const DataStats& stats, const HttpStats& http, Families& out);
void add_publisher_families(const std::vector<PublisherStats>& stats, Families& out);
void add_daemon_families(const ControlStats& stats, Families& out);

}  // namespace hotkeyd
