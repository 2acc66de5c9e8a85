// When the tables are sent: each interval, and earlier when a recording thread wishes so, within bounds.
// Pure.
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace hotkeyd::sdk {

class FlushTimer {
 public:
  static constexpr Duration kEarlySpacing = std::chrono::milliseconds(10);
  static constexpr Duration kRoomSpacing = std::chrono::milliseconds(1);

  struct Wishes {
    bool early = false;
    bool room = false;
    bool now = false;
  };

  FlushTimer(Duration interval, Time now) : interval_(interval), last_(now) {}

  // When the next flush is due; not later than `now` if it is.
  Time due(const Wishes& wishes, Time now) const {
    if (wishes.now) return now;
    if (wishes.room) return last_ + kRoomSpacing;
    return last_ + (wishes.early ? std::min(interval_, kEarlySpacing) : interval_);
  }
  void flushed(Time now) { last_ = now; }

 private:
  Duration interval_;
  Time last_;
};

}  // namespace hotkeyd::sdk
