// What the kernels and the table do with one lane.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "detector/window_buckets.h"

namespace hotkeyd {

// 0 means empty, so a fingerprint is never 0.
constexpr std::uint32_t fingerprint_of(std::uint64_t hash) {
  const auto high = static_cast<std::uint32_t>(hash >> 32);
  return high == 0 ? 1 : high;
}

constexpr std::uint32_t saturating_add(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t sum = a + b;
  return sum | (0U - static_cast<std::uint32_t>(sum < a));
}

// A newcomer's boost by the priority it displaced: about the priority itself, as a power of two.
constexpr std::uint32_t boost_code(std::uint32_t priority) {
  return std::min(31U - static_cast<std::uint32_t>(std::countl_zero(priority / 3 | 1)), 7U);
}

constexpr std::uint32_t missed_code(std::uint32_t priority, bool lossless) {
  const auto code = std::min<std::uint32_t>(std::bit_width(priority + 1), kMissedFar);
  return lossless ? 0 : code;
}

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

// Puts the newcomer on the lane where `take` is all ones (0: refuses it, without a branch), and notes the
// loss that either of it is.
inline void place(Bucket& bucket, Lowest low, Newcomer newcomer, std::uint32_t take) {
  const std::uint32_t lane = low.lane;
  const std::uint32_t marks = bucket.fingerprints[kSpare];
  const std::uint32_t meta = bucket.counts[kSpare];
  const bool lossless = low.priority == 0 && (marks & (kLossNow | kLossBefore)) == 0;
  const std::uint32_t loss = low.priority == 0 ? 0 : kLossNow;
  const std::uint32_t new_marks =
      with_code(marks, lane_shift(kMissedShift, lane), missed_code(low.priority, lossless));
  const std::uint32_t new_meta =
      with_code(meta | 1U << lane, lane_shift(kBoostShift, lane), boost_code(low.priority));
  const std::uint32_t fingerprint = bucket.fingerprints[lane];
  const std::uint32_t count = bucket.counts[lane];
  bucket.fingerprints[lane] = fingerprint ^ ((fingerprint ^ newcomer.fingerprint) & take);
  bucket.counts[lane] = count ^ ((count ^ newcomer.count) & take);
  bucket.fingerprints[kSpare] = (marks ^ ((marks ^ new_marks) & take)) | loss;
  bucket.counts[kSpare] = meta ^ ((meta ^ new_meta) & take);
}

}  // namespace hotkeyd
