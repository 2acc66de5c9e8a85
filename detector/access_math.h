// Arithmetic on accesses: weight, hashes, sampling, spreading over slots.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/hash.h"
#include "base/random.h"
#include "detector/access.h"
#include "detector/window_lane.h"

namespace hotkeyd {

// reads + writes, saturating.
inline std::uint32_t weight_of(const Access& access) {
  const std::uint64_t sum = saturating_add(access.reads, access.writes);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, UINT32_MAX));
}

// The hashes of the accesses' keys.
void hash_keys(const KeyHash& hash, std::span<const Access> accesses, std::span<std::uint64_t> hashes);

// Each column times `factor`, rounded at random without bias. One draw for all columns of a row, so that
// misses and local hits stay within reads.
Access scaled(const Access& access, double factor, Random& dice);

// What one of `spread` slots gets of each column: equal parts, the remainder to the oldest.
Access share_of(const Access& access, std::uint32_t spread, bool oldest);

}  // namespace hotkeyd
