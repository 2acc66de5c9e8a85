// The clock of a near-cache hit. The exact one costs 20 to 100 ns a reading, the coarse one about 7, but the
// coarse one is behind.
//
// Both count the same time (CLOCK_MONOTONIC); the coarse one stands at the last timer tick of the kernel, so
// it is never ahead of the exact one and normally behind by less than its resolution (1 to 10 ms). A virtual
// machine may lose ticks, so a deadline nearer than `kCoarseLag` is asked of the exact clock. The error is on
// the safe side: where coarse + kCoarseLag < deadline, the exact time is before the deadline as long as the
// coarse clock is behind by less than `kCoarseLag`; in every other case the exact clock itself decides.
#pragma once

#include <time.h>

#include "base/clock.h"

namespace hotkeyd::sdk {

inline constexpr Duration kCoarseLag = std::chrono::milliseconds(50);

struct NearClock {
  Time coarse() const {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return Time(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
  }
  Time exact() const { return Clock::now(); }
};

// Whether the exact time is before the deadline.
template <typename AnyClock>
bool is_before(Time deadline, const AnyClock& clock) {
  return deadline - clock.coarse() > kCoarseLag || clock.exact() < deadline;
}

}  // namespace hotkeyd::sdk
