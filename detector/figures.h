// What a key's sums say: figures with their error bound, its class, whether a near cache may hold it.
//
// Pure functions of the window's sums; events, the hot set, TOP and GET all show the same figures.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "detector/counter.h"
#include "detector/decision.h"
#include "detector/rules.h"

namespace hotkeyd {

// What surrounds a key's sums: its window, and of the whole namespace in it the accesses counted and lost.
struct WindowScale {
  Duration length{};
  std::uint64_t total = 0;
  std::uint64_t lost = 0;
};

// The error bounds the rate: accesses possibly missed before admission, the deviation of sampling, accesses
// lost; all per second, plus the rounding of the rate, rounded up.
KeyFigures figures_of(const WindowSums& sums, const WindowScale& scale);

// `rule` may be null (no rule matches): then nothing is write-hot.
KeyClass class_of(const WindowSums& sums, const Rule* rule);

// The near cache a hot key of this class gets, if any: only readers and missers, and no value (by its mean
// size) above max_value_bytes. Without a rule the defaults apply.
std::optional<NearCacheOptions> near_cache_of(KeyClass key_class, const WindowSums& sums, const Rule* rule);

}  // namespace hotkeyd
