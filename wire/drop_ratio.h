// By how much a producer's rows must be scaled since it dropped the rest, from the totals it tells (TOTALS).
//
// recorded / (recorded - dropped), as differences over the last second between the totals of the largest
// numbers: between those told now and the latest that are at least a second old, or the oldest known. An
// epoch's first totals have nothing to differ from: 1. Totals that cannot be true (more dropped than
// recorded, or less than before) are forgotten together with what was known: 1, and the next ones start anew.
// Never above kFactorMax, whatever the producer claims.
//
// A producer that was cut off drops everything and says so when it is back; what it drops then stands for the
// time before, not for the rows that come with it. So who was silent for kSilence, and who was at work before
// this daemon knew it, is scaled again only after a second, by what is dropped from then on.
//
// Of a producer that tells more often than each 100 ms some totals in between are not kept, so that 330 bytes
// are enough. Pure, virtual time; one thread (data).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "wire/report.h"

namespace hotkeyd {

class DropRatio {
 public:
  static constexpr double kFactorMax = 1000;
  static constexpr Duration kLength = std::chrono::seconds{1};
  static constexpr Duration kSilence = std::chrono::milliseconds{1500};
  static constexpr Duration kSpacing = std::chrono::milliseconds{100};

  // `first`: the number that opens the epoch; above 1 the producer was at work before.
  explicit DropRatio(std::uint64_t first) : waits_(first > 1) {}

  // The totals of a new largest number. Time never goes back.
  void tell(const ReportTotals& totals, Time now);
  // For the rows that come now; 1 where the latest totals are older than a second.
  double ratio(Time now) const;

 private:
  struct Told {
    Time at;
    ReportTotals totals;
  };

  bool is_back(Time now) const;
  void forget_older_than(Time now);
  void keep(const Told& told);
  const Told& newest() const { return told_[size_ - 1]; }

  std::array<Told, 13> told_{};  // The oldest first.
  std::size_t size_ = 0;
  double ratio_ = 1;
  bool waits_;          // The next totals begin a second in which nothing is scaled.
  Time scaled_from_{};  // The end of that second.
};

}  // namespace hotkeyd
