// Plays a recording through the detector in the recording's own time, and through a near cache for the keys
// that are hot.
//
// The detector is the daemon's, with the daemon's rules: every access is observed at its own microsecond, and
// ticks fall where slots end. The near cache is one for all readers, an upper bound on what many processes
// with a cache each would save. An access counts as hot from the one after the crossing access on.
//
// Pure and single-threaded: same accesses, same report. Memory is the detector's, that of the top shares, and
// of at most `episodes_max` episodes and 64 MiB of their keys.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyze/report.h"
#include "base/hash.h"
#include "base/result.h"
#include "detector/detector.h"
#include "sources/parsed_access.h"

namespace hotkeyd {

struct ReplayOptions {
  DetectorOptions detector;
  std::string ns = "default";
  std::optional<UnixUs> near_ttl_us;  // Instead of the rules'.
  std::size_t episodes_max = 10'000;
};

class Replay {
 public:
  explicit Replay(ReplayOptions options);

  // In order of time; what comes late counts at the time of the latest before it.
  void take(const ParsedAccess& access);
  // Call it once, last.
  AnalysisReport finish();

  // Why nothing can be analyzed: the configuration does not know the namespace.
  static Result<void> check(const ReplayOptions& options);

 private:
  struct Running {
    AnalyzedEpisode episode;
    NearReplay near;
    bool has_hot_pool = false;
  };

  void start(UnixUs first);
  bool is_playable(const ParsedAccess& access);
  void advance(UnixUs until);
  void tick(UnixUs at);
  void follow(UnixUs at);
  void follow(const Decision& decision, UnixUs at);
  void see_peaks();
  void replay_hot(const ParsedAccess& access, UnixUs at);
  void close(Running& running, UnixUs at);
  Now now(UnixUs at) const;

  ReplayOptions options_;
  KeyHash hash_;
  std::optional<Detector> detector_;
  NamespaceId ns_ = 0;
  Decisions decisions_;
  UnixUs next_tick_ = 0;
  UnixUs silence_seen_ = 0;
  std::unordered_map<std::string, Running, SeededHash, std::equal_to<>> hot_;
  std::size_t key_bytes_ = 0;
  TopShares top_shares_;
  AnalysisReport report_;
};

}  // namespace hotkeyd
