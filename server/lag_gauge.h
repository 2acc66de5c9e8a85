// The largest delay of a tick in the last seconds: a scrape sees a stall though it comes later.
//
// Over at least kLength and at most twice that. Pure, virtual time; one thread (data).
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace hotkeyd {

class LagGauge {
 public:
  static constexpr Duration kLength = std::chrono::seconds{10};

  void add(Duration lag, Time now) {
    if (now - begun_ >= kLength) {
      before_ = now - begun_ < 2 * kLength ? running_ : Duration{};
      running_ = {};
      begun_ = now;
    }
    running_ = std::max(running_, lag);
  }
  double seconds() const { return std::chrono::duration<double>(std::max(running_, before_)).count(); }

 private:
  Time begun_{};  // The start of what `running_` holds.
  Duration running_{};
  Duration before_{};
};

}  // namespace hotkeyd
