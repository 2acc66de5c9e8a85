// When a thread last moved: it beats, others look how long ago that was. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace hotkeyd {

class Pulse {
 public:
  explicit Pulse(Time start) : at_(ticks(start)) {}

  void beat(Time now) { at_ = ticks(now); }
  Duration age(Time now) const { return Duration{ticks(now) - at_}; }

 private:
  static Duration::rep ticks(Time time) { return time.time_since_epoch().count(); }

  std::atomic<Duration::rep> at_;
};

}  // namespace hotkeyd
