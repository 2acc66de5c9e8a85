// The memory layout of the window table: what a bucket of seven keys looks like.
//
// An access needs one 64-byte line, the Bucket: seven fingerprints, seven window counts, and in the eighth
// word of each row the bits about the seven lanes. The Side line is needed where a lane has a candidate, and
// at rotation; the ring of past slots at rotation only. With ten slots: 64 + 64 + 320 = 448 bytes a bucket.
//
// A lane's window count = base (all slots but the newest) + what the newest slot brought. A lane placed since
// the last rotation is *fresh*: its base counts as 0 whatever the Side line says, so that placing a key
// writes to one line only. A lane's age in slots tells which ring rows are its own and which are those of the
// key before it.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "detector/lanes.h"

namespace hotkeyd {

inline constexpr std::uint32_t kLanes = 7;
inline constexpr std::uint32_t kSpare = 7;  // Index of the word that belongs to no lane.
inline constexpr std::uint32_t kAllLanes = 0x7f;

struct alignas(64) Bucket {
  Lanes fingerprints{};  // 0: lane is empty. [kSpare]: marks.
  Lanes counts{};        // In the window. [kSpare]: meta.
};

struct alignas(64) Side {
  Lanes base{};  // [kSpare]: ages of lanes 0 to 3, a byte each.
  // Of a marked lane the candidate; of another one the displaced priority, where its code says so.
  // [kSpare]: ages of lanes 4 to 6.
  Lanes link{};
};

struct Place {
  std::uint32_t bucket;
  std::uint32_t lane;
  bool operator==(const Place&) const = default;
};

struct alignas(32) RingRow {
  Lanes counts{};
};

// marks: bits 0-6 the lane has a candidate; from bit 8 on three bits a lane, how much may have been missed
// before it was placed; bits 30 and 31 whether the bucket refused or displaced a key in this or the last
// window.
inline constexpr std::uint32_t kLossNow = 1U << 30;
inline constexpr std::uint32_t kLossBefore = 1U << 31;
// meta: bits 0-6 the lane is fresh; from bit 8 on three bits a lane, the newcomer's boost.
inline constexpr std::uint32_t kCodeShift = 8;           // Of both words.
inline constexpr std::uint32_t kBoostLowBits = 0x49249;  // The lowest bit of each of seven codes.

// The displaced priority is at most 2^(code + 1) - 2; kMissedFar: it is in the link word.
inline constexpr std::uint32_t kMissedFar = 7;
inline constexpr std::uint32_t kFarPriority = 127;
// Larger priorities compare as equal: room for the boost and the lane's number in 32 bits.
inline constexpr std::uint32_t kPriorityMax = (1U << 28) - 1;

constexpr std::uint32_t code_shift(std::uint32_t lane) { return kCodeShift + 3 * lane; }

// Everything a kernel works on.
struct TableView {
  Bucket* buckets;
  Side* sides;
  RingRow* rows;  // `slots` rows a bucket.
  std::uint32_t bucket_mask;
  std::uint32_t slots;
  std::uint32_t bar;  // A count that asks for a candidate.
  Random* dice;
};

}  // namespace hotkeyd
