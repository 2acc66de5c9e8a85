// How long to wait before the next try: doubles from `min` to `max`, each wait drawn at random from its upper
// half, so that a fleet that lost the same server does not come back in step. Pure; standard library only.
#pragma once

#include <algorithm>

#include "base/clock.h"
#include "base/random.h"

namespace hotkeyd {

class Backoff {
 public:
  Backoff(Duration min, Duration max, std::uint64_t seed) : min_(min), max_(max), next_(min), random_(seed) {}

  Duration next() {
    const Duration full = next_;
    next_ = std::min(next_ * 2, max_);
    return full / 2 + std::chrono::duration_cast<Duration>(full / 2 * random_.fraction());
  }
  void reset() { next_ = min_; }

 private:
  Duration min_;
  Duration max_;
  Duration next_;
  Random random_;
};

}  // namespace hotkeyd
