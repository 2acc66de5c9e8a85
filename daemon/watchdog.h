// Feeds the service manager's watchdog while both threads move.
//
// Twice per timeout the control thread looks when the data thread last ticked and feeds only if that was
// within half a timeout. So a data thread that hangs starves the watchdog, and so does a control thread that
// hangs, since it is the one that feeds. A busy data thread ticks. While the daemon drains the data thread
// says goodbye and the drain deadline takes its place. Control thread.
#pragma once

#include <functional>

#include "base/clock.h"
#include "daemon/pulse.h"
#include "io/timer.h"

namespace hotkeyd {

// How often to look, and how old a tick may be.
struct WatchdogPace {
  Duration interval;
  Duration age_max;  // At least three of the data thread's ticks.
};
WatchdogPace watchdog_pace(Duration timeout);

class Watchdog {
 public:
  Watchdog(asio::io_context& control, const Pulse& data, std::function<void()> feed)
      : data_(data), feed_(std::move(feed)), timer_(control) {}

  // Zero: there is no watchdog.
  void start(Duration timeout);
  void drain() { draining_ = true; }
  void stop() { timer_.cancel(); }

 private:
  void look();

  const Pulse& data_;
  const std::function<void()> feed_;
  Timer timer_;
  WatchdogPace pace_{};
  bool draining_ = false;
};

}  // namespace hotkeyd
