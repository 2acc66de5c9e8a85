// How many accesses of one epoch of a producer were lost on their way, from the totals it tells (TOTALS).
//
// The first totals that come with a new largest number set the base: what the producer had recorded, neither
// dropped nor delivered here, by then. From there on what is told and did not arrive is lost. Batches below
// that number that come later shrink the base instead. Each loss is returned once, never a negative one,
// whatever the producer claims. Pure; one thread.
#pragma once

#include <cstdint>
#include <optional>

#include "wire/report.h"

namespace hotkeyd {

class LossAccount {
 public:
  // A batch that was not seen before; `is_largest`: no larger number came yet. Returns how many accesses the
  // producer newly says it dropped itself (what it dropped before the first totals only where they have
  // number 1).
  std::uint64_t add(std::uint64_t seq, std::uint64_t accesses, const std::optional<ReportTotals>& totals,
                    bool is_largest);

  // The loss not returned before. Call it only while no number is awaited.
  std::uint64_t take_loss();

 private:
  std::uint64_t arrived_ = 0;
  std::uint64_t base_ = 0;
  std::optional<std::uint64_t> base_seq_;   // nullopt while there is no base.
  std::optional<std::uint64_t> delivered_;  // recorded - dropped as told by the largest number.
  std::uint64_t returned_ = 0;
  std::uint64_t dropped_ = 0;  // As told by the largest number.
};

}  // namespace hotkeyd
