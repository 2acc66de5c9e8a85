// How much the rows of a source are scaled up now: accesses scaled / accesses counted, over this second and
// the one before, all producers together. 1 where nothing came.
//
// Pure, virtual time; one thread (data).
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace hotkeyd {

class SamplingGauge {
 public:
  static constexpr Duration kLength = std::chrono::seconds{1};

  void add(std::uint64_t counted, double factor, Time now);
  double value(Time now) const;

 private:
  struct Sums {
    double counted = 0;
    double scaled = 0;
  };

  Time begun_{};  // The start of what `running_` holds.
  Sums running_;
  Sums before_;
};

}  // namespace hotkeyd
