// Arithmetic on accesses: weight, sampling, spreading over slots.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "detector/access.h"

namespace hotkeyd {

// reads + writes, saturating.
std::uint32_t weight_of(const Access& access);

// Each column times `factor`, rounded at random without bias. One draw for all columns of a row, so that
// misses and local hits stay within reads.
Access scaled(const Access& access, double factor, Random& dice);

// What one of `spread` slots gets of each column: equal parts, the remainder to the oldest.
Access share_of(const Access& access, std::uint32_t spread, bool oldest);

}  // namespace hotkeyd
