#include "server/ticker.h"

#include <algorithm>
#include <utility>

namespace hotkeyd {

void Ticker::start(std::function<void(Now)> tick) {
  tick_ = std::move(tick);
  plan(Clock::now());
}

void Ticker::plan(Time now) {
  planned_ = now + std::clamp(detector_.until_tick(now), kShortest, kLongest);
  timer_.start(planned_, [this] {
    const Now woken = read_clocks();
    lag_.add(woken.steady - planned_, woken.steady);
    plan(woken.steady);
    tick_(woken);
  });
}

}  // namespace hotkeyd
