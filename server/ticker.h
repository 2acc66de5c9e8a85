// The data thread's clock: calls back at the start of each slot of the detector, and at least every 100 ms.
//
// An idle daemon does nothing else. Says how late it was called (loop lag). Data thread.
#pragma once

#include <functional>

#include "base/clock.h"
#include "detector/detector.h"
#include "io/timer.h"
#include "server/lag_gauge.h"

namespace hotkeyd {

class Ticker {
 public:
  static constexpr Duration kLongest = std::chrono::milliseconds{100};
  static constexpr Duration kShortest = std::chrono::milliseconds{1};

  Ticker(asio::io_context& io, const Detector& detector) : timer_(io), detector_(detector) {}

  void start(std::function<void(Now)> tick);
  void stop() { timer_.cancel(); }
  double lag_seconds() const { return lag_.seconds(); }

 private:
  void plan(Time now);

  Timer timer_;
  const Detector& detector_;
  std::function<void(Now)> tick_;
  Time planned_{};
  LagGauge lag_;
};

}  // namespace hotkeyd
