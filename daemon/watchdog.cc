#include "daemon/watchdog.h"

#include <algorithm>

#include "base/log.h"
#include "server/ticker.h"

namespace hotkeyd {

WatchdogPace watchdog_pace(Duration timeout) {
  const Duration half = timeout / 2;
  return {half, std::max(half, 3 * Ticker::kLongest)};
}

void Watchdog::start(Duration timeout) {
  if (timeout <= Duration::zero()) return;
  pace_ = watchdog_pace(timeout);
  look();
}

void Watchdog::look() {
  const Duration age = data_.age(Clock::now());
  if (draining_ || age <= pace_.age_max) {
    feed_();
  } else {
    log_error("watchdog_starved", {{"cause", "the data thread does not move"}, {"since_ms", to_ms(age)}});
  }
  timer_.start(Clock::now() + pace_.interval, [this] { look(); });
}

}  // namespace hotkeyd
