// What the kernels and the table do with one lane.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

#include "detector/window_buckets.h"

namespace hotkeyd {

// 0 means empty, so a fingerprint is never 0.
constexpr std::uint32_t fingerprint_of(std::uint64_t hash) {
  const auto high = static_cast<std::uint32_t>(hash >> 32);
  return high == 0 ? 1 : high;
}

template <std::unsigned_integral Number>
constexpr Number saturating_add(Number a, Number b) {
  const Number sum = a + b;
  return sum | (Number{0} - static_cast<Number>(sum < a));
}

// A newcomer's boost by the priority it displaced: about the priority itself, as a power of two.
constexpr std::uint32_t boost_code(std::uint32_t priority) {
  return std::min<std::uint32_t>(std::bit_width(priority / 3 | 1) - 1, 7);
}

constexpr std::uint32_t missed_code(std::uint32_t priority) {
  return std::min<std::uint32_t>(std::bit_width(priority + 1) - 1, kMissedFar);
}

// Both codes by priority, boost_code | missed_code << 3; from the last entry on they stay the same.
inline constexpr auto kCodes = [] {
  std::array<std::uint8_t, 512> codes{};
  for (std::uint32_t priority = 0; priority < codes.size(); ++priority) {
    codes[priority] = static_cast<std::uint8_t>(boost_code(priority) | missed_code(priority) << 3);
  }
  return codes;
}();

constexpr std::uint32_t with_code(std::uint32_t word, std::uint32_t shift, std::uint32_t code) {
  return (word & ~(7U << shift)) | code << shift;
}

// The ages of all lanes, in the spare words of the Side line.
inline void load_ages(const Side& side, LaneBytes& ages) {
  const std::array<std::uint32_t, 2> words = {side.base[kSpare], side.link[kSpare]};
  std::memcpy(&ages, words.data(), sizeof ages);
}

inline void store_ages(Side& side, const LaneBytes& ages) {
  std::array<std::uint32_t, 2> words;
  std::memcpy(words.data(), &ages, sizeof ages);
  side.base[kSpare] = words[0];
  side.link[kSpare] = words[1];
}

// Once per window: what was lost in the window before the last one no longer matters.
inline void shift_loss(Bucket& bucket) {
  const std::uint32_t marks = bucket.fingerprints[kSpare];
  const std::uint32_t before = (marks & kLossNow) != 0 ? kLossBefore : 0;
  bucket.fingerprints[kSpare] = (marks & ~(kLossNow | kLossBefore)) | before;
}

// A key that asks for a lane, and what it would displace there.
struct Newcomer {
  std::uint32_t fingerprint;
  std::uint32_t count;
};
struct Lowest {
  std::uint32_t lane;
  std::uint32_t priority;
};

// Puts the newcomer on the lane; whoever was there is gone.
inline void place(Bucket& bucket, Lowest low, Newcomer newcomer) {
  const std::uint32_t shift = code_shift(low.lane);
  const std::uint32_t codes = kCodes[std::min<std::size_t>(low.priority, kCodes.size() - 1)];
  const std::uint32_t marks = bucket.fingerprints[kSpare];
  const std::uint32_t meta = bucket.counts[kSpare] | 1U << low.lane;
  bucket.fingerprints[low.lane] = newcomer.fingerprint;
  bucket.counts[low.lane] = newcomer.count;
  bucket.fingerprints[kSpare] = with_code(marks, shift, codes >> 3);
  bucket.counts[kSpare] = with_code(meta, shift, codes & 7U);
}

// Where a key asked for a lane that was not free, it or the other one loses accesses.
inline void note_loss(Bucket& bucket, std::uint32_t priority) {
  bucket.fingerprints[kSpare] |= priority == 0 ? 0 : kLossNow;
}

}  // namespace hotkeyd
