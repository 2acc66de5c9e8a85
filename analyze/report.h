// What the analysis of a recording says: a value that table, JSON and page render.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/near_replay.h"
#include "analyze/top_shares.h"
#include "base/clock.h"
#include "detector/decision.h"

namespace hotkeyd {

struct AnalyzedEpisode {
  std::string key;
  std::optional<std::string> rule;
  KeyClass key_class = KeyClass::read;  // The last one.
  UnixUs start = 0;
  UnixUs end = 0;               // Of the recording, where the key was still hot then.
  std::uint64_t peak_rate = 0;  // Per second, in the rule's window.
  double share = 0;             // The largest share of a window's accesses, 0 to 1.
  NearTotals near;

  bool operator==(const AnalyzedEpisode&) const = default;
};

struct AnalysisTotals {
  std::uint64_t accesses = 0;  // reads + writes
  std::uint64_t reads = 0;     // Misses included.
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;
  UnixUs start = 0;  // Of the first access, 0 if there is none.
  UnixUs end = 0;
  std::uint64_t episodes = 0;  // Those that are not listed included.
  std::uint64_t unlisted = 0;  // Episodes beyond the limit.
  std::uint64_t still_hot = 0;
  std::uint64_t hot_accesses = 0;  // To keys while they were hot.
  NearTotals near;
  std::uint64_t hot_pool_reads = 0;  // Not saved, and answerable by the copies of a hot pool.
  std::uint64_t late = 0;            // Accesses dated before one already seen: counted at that one's time.
  std::uint64_t skipped = 0;  // Keys that are empty or over 64 KiB; times over ten years after the first.

  bool operator==(const AnalysisTotals&) const = default;
};

struct AnalysisReport {
  std::vector<AnalyzedEpisode> episodes;  // In order of start, then of key bytes.
  AnalysisTotals totals;
  std::vector<TopShare> top_shares;
};

}  // namespace hotkeyd
