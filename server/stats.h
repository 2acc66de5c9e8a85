// What the data thread counts, as plain numbers: metrics/ shows them, HOTKEY STATS too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "detector/detector.h"

namespace hotkeyd {

// A histogram with fixed bounds in seconds; `buckets[i]` counts values <= kBounds[i], the last one the rest.
struct DelayHistogram {
  static constexpr std::array<double, 12> kBounds{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                                  0.01,   0.025,   0.05,   0.1,   0.25,   1};
  std::array<std::uint64_t, kBounds.size() + 1> buckets{};
  double sum = 0;
  std::uint64_t count = 0;

  void observe(double seconds) {
    std::size_t at = 0;
    while (at < kBounds.size() && seconds > kBounds[at]) ++at;
    ++buckets[at];
    sum += seconds;
    ++count;
  }
};

struct SourceStats {
  std::map<std::string, std::uint64_t> accesses_by_namespace;
  std::map<std::string, std::uint64_t> dropped_by_reason;  // oversize empty late overload namespace
  double sampling_one_in = 1;
};

struct NearCacheStats {
  std::uint64_t hits = 0;
  std::uint64_t loads = 0;
  std::uint64_t entries = 0;  // This and the next two: of the producers that still report.
  std::uint64_t bytes = 0;
  std::uint64_t oldest_ms = 0;  // The largest.
};

struct DataStats {
  std::map<std::string, SourceStats> sources;  // "report", "hit"
  std::uint64_t lost_batches = 0;
  std::uint64_t lost_accesses = 0;
  std::map<std::string, NamespaceStats> namespaces;
  std::map<std::string, NearCacheStats> near_caches;  // By namespace, summed over producers.
  DelayHistogram detection_delay;
  std::size_t clients = 0;
  std::uint64_t cut_subscribers = 0;
  std::uint64_t accept_errors = 0;
  std::uint64_t protocol_errors = 0;
  std::uint64_t refused_clients = 0;  // Over the limit of clients.
  std::uint64_t commands = 0;
  std::size_t subscriptions = 0;
  double loop_lag_seconds = 0;  // The largest delay of a tick in the last 10 to 20 s.
  std::size_t producers = 0;
  std::uint64_t untold_events = 0;  // Decisions that wait to be told (at most 1,000 per 100 ms are).
};

}  // namespace hotkeyd
