// The ledger of reports: makes batches idempotent and knows what was lost.
//
// For each producer it remembers which of the last 64 batch numbers of its epoch came. A batch seen before
// counts 0; numbers that can no longer come are lost batches; with TOTALS the loss is known in accesses. The
// rules and a worked example are in docs/protocol.md. Bounded: at most `producers_max`, the longest idle is
// forgotten. Pure; one thread (data).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "wire/report.h"

namespace hotkeyd {

enum class Verdict { counts, repeated, old };  // Only `counts` may be counted; the others answer 0.

struct LedgerEntry {
  std::string_view producer;
  std::uint64_t epoch = 0;
  std::uint64_t seq = 0;
  // Every access of the rows of this batch, counted or not (late, empty and oversize too), unscaled.
  std::uint64_t accesses = 0;
  std::optional<ReportTotals> totals;
  Time now{};
};

struct LedgerOutcome {
  Verdict verdict = Verdict::counts;
  std::uint64_t lost_batches = 0;  // Newly known to be lost, by this entry.
  std::uint64_t lost_accesses = 0;
  // Newly told by TOTALS: the producer dropped them itself. What it dropped before the first batch seen
  // counts only where that one is number 1.
  std::uint64_t dropped_accesses = 0;
  // What each access of this batch stands for, since the producer dropped others (drop_ratio.h): 1 to 1000.
  double drop_ratio = 1;
};

class Ledger {
 public:
  explicit Ledger(std::size_t producers_max = 10'000);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // What `admit` would say, without remembering anything.
  Verdict peek(std::string_view producer, std::uint64_t epoch, std::uint64_t seq) const;
  // Uses the number up. Forgetting another producer for this one adds what that one awaited to the losses.
  LedgerOutcome admit(const LedgerEntry& entry);
  std::size_t producers() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hotkeyd
