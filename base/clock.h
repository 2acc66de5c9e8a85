// Time as the core sees it: a value that comes in as an argument.
//
// Rates, windows and deadlines use `Time` (steady); only timestamps that leave the process use Unix
// milliseconds. Nothing outside the daemon's and the SDK's edges reads a clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace hotkeyd {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;
using Duration = Clock::duration;
using UnixMs = std::int64_t;  // Milliseconds since 1970-01-01 UTC.
using UnixUs = std::int64_t;  // Microseconds since then.

// One reading of both clocks, taken once per batch or tick and passed down.
struct Now {
  Time steady{};
  UnixMs unix_ms = 0;
};

// Reads both clocks. For edges only.
inline Now read_clocks() {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  return {Clock::now(), duration_cast<milliseconds>(wall).count()};
}

inline std::int64_t to_ms(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

}  // namespace hotkeyd
