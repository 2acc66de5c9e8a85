// A rule's rates as counts of its window: where a key comes in, and where it goes out again.
//
// A steady key at rate T varies by about the square root of T per window by chance alone. The default way out
// is four of those deviations below the way in, and at most seven tenths of it, so that chance never makes a
// key leave. T is rounded up, at least 1; a way out is at least 1 and compared unrounded (T = 1, 10, 16 -> 1;
// 100 -> 60; 1000 -> 700). Pure values; config/ checks rules with the same functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "detector/counter.h"
#include "detector/decision.h"
#include "detector/options.h"

namespace hotkeyd {

double seconds(Duration duration);

// The accesses in `window` that make `rate` per second: rounded up, at least 1.
std::uint64_t threshold(double rate, Duration window);
// The default way out of a threshold.
double way_out(std::uint64_t threshold);

struct Way {
  std::uint64_t in = 0;  // At or above: in.
  double out = 0;        // Below: out.
};

// The levels above `hot`, in the order of the enumeration.
constexpr std::array kLevels{Level::hot_pool, Level::split, Level::alert};

struct Thresholds {
  std::optional<Way> rate;
  std::optional<Way> writes;
  std::optional<Way> misses;
  std::optional<Way> share_floor;  // Set where a share is.
  double share = 0;
  std::array<std::optional<Way>, kLevels.size()> levels;

  // The smallest count that can promote; 0 where none can.
  std::uint64_t smallest() const;
};

// `window` is the rule's own or, where it has none, the base window.
Thresholds thresholds_of(const RuleOptions& rule, Duration window);

// The first way in that the figures reach, in the order rate, writes, misses, share. `total`: all accesses of
// the namespace in the same window.
std::optional<Reason> way_in(const Thresholds& thresholds, const WindowSums& sums, std::uint64_t total);
// The share below which a key is out, where there is one.
double share_out(const Thresholds& thresholds);
// Whether the figures are below every way out.
bool is_below_all(const Thresholds& thresholds, const WindowSums& sums, std::uint64_t total);

}  // namespace hotkeyd
