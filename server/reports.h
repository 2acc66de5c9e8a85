// Where accesses enter: HOTKEY REPORT (batches, each counted once) and HOTKEY HIT (one key, for shells and
// tests).
//
// A bad row or a refused namespace refuses the whole batch, whose number stays free; every other batch uses
// its number up in the ledger, a late or empty one too. Keys that are empty or longer than 65,536 bytes are
// skipped and counted by reason. Columns saturate at 2^32 - 1. The rows of a producer that samples (SAMPLE)
// or dropped accesses (TOTALS) are scaled up for the detector; whatever is counted here is not. Nothing is
// allocated per batch once warm. Data thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "detector/detector.h"
#include "server/near_cache_totals.h"
#include "server/options.h"
#include "server/sampling_gauge.h"
#include "server/stats.h"
#include "server/streams.h"
#include "wire/ledger.h"
#include "wire/report.h"

namespace hotkeyd {

constexpr std::size_t kKeySizeMax = 65'536;

class Reports {
 public:
  // All must outlive this.
  Reports(const ServerOptions& options, Detector& detector, Streams& streams)
      : options_(options), detector_(detector), streams_(streams) {}

  // `arguments` are those after "HOTKEY REPORT". Returns the rows counted now; errors are texts behind "-ERR
  // ".
  Result<std::uint64_t> report(std::span<const std::string_view> arguments, Now now);
  // Returns the key's count in the base window now.
  Result<std::uint64_t> hit(std::string_view ns, const Access& access, Now now);

  void add_to(DataStats& stats, Time now) const;

 private:
  // What one source brought.
  struct Source {
    std::vector<std::uint64_t> accesses;  // By namespace.
    std::map<std::string, std::uint64_t> dropped;
  };

  std::uint64_t sum_of_rows() const;
  std::uint64_t take(NamespaceId ns, const LedgerOutcome& outcome, Now now);
  void collect_rows();
  static void drop(Source& source, const char* reason, std::uint64_t accesses);
  void count(Source& source, NamespaceId ns, std::uint64_t accesses);
  void add_source(DataStats& stats, const std::string& name, const Source& source) const;

  const ServerOptions& options_;
  Detector& detector_;
  Streams& streams_;
  Ledger ledger_;
  NearCacheTotals near_caches_;
  SamplingGauge sampling_;  // Of the reports; hits are never scaled.
  Source reports_;
  Source hits_;
  std::uint64_t lost_batches_ = 0;
  std::uint64_t lost_accesses_ = 0;
  Report report_;                 // The last one, its memory reused.
  std::vector<Access> accesses_;  // Its rows that count.
  std::uint64_t counted_ = 0;     // Accesses in them.
  Decisions decisions_;
};

}  // namespace hotkeyd
