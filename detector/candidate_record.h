// What is kept of a candidate, laid out by how often it is touched.
//
// Every access to a candidate touches its Record, one cache line: the columns of the newest slot, the window
// figures that triggers compare with, the triggers. Past slots and upkeep lie elsewhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "detector/access.h"
#include "detector/counter.h"
#include "detector/window_lane.h"
#include "detector/window_table.h"

namespace hotkeyd {

struct alignas(64) Record {
  std::uint64_t hash = 0;
  std::uint64_t bytes = 0;  // This and the next four: in the newest slot, since the record was made.
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
  std::uint32_t misses = 0;
  std::uint32_t local_hits = 0;
  std::uint32_t count = 0;        // In the window, accesses before the record was made included.
  std::uint32_t writes_seen = 0;  // In the window, since the record was made.
  std::uint32_t misses_seen = 0;
  Triggers triggers;
  float factor = 0;  // Largest sampling factor of the newest slot.
};

// One past slot.
struct SlotFigures {
  std::uint64_t bytes = 0;
  std::uint32_t count = 0;  // All; the others since the record was made.
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
  std::uint32_t misses = 0;
  std::uint32_t local_hits = 0;
  float factor = 0;
};

struct Upkeep {
  Place place{};  // Where has_lane.
  bool has_lane =
      false;  // Else the record alone counts: a kept key that lost its lane, or never had traffic.
  bool kept = false;
  bool alive = false;
  std::uint32_t base = 0;  // Record::count without the newest slot.
  std::uint32_t missed_max = 0;
  Slot missed_until = 0;     // First newest slot whose window was tracked as a whole.
  std::size_t position = 0;  // In the list of living ones.
};

// Adds an access's columns, saturating.
void add_columns(Record& record, const Access& access, float factor);

// The same where no column can overflow, of an access that is no sample.
inline void add_small_columns(Record& record, const Access& access) {
  const auto writes = static_cast<std::uint32_t>(access.writes);
  const auto misses = static_cast<std::uint32_t>(access.misses);
  record.bytes = saturating_add(record.bytes, access.bytes);
  record.reads += static_cast<std::uint32_t>(access.reads);
  record.writes += writes;
  record.misses += misses;
  record.local_hits += static_cast<std::uint32_t>(access.local_hits);
  record.writes_seen += writes;
  record.misses_seen += misses;
}

inline bool reached(const Record& record) {
  const Triggers& at = record.triggers;
  const bool count = record.count >= at.count;
  const bool writes = record.writes_seen >= at.writes;
  const bool misses = record.misses_seen >= at.misses;
  return count | writes | misses;
}

}  // namespace hotkeyd
