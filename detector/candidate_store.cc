#include "detector/candidate_store.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hotkeyd {
namespace {

constexpr std::uint64_t kColumnMax = UINT32_MAX;

std::uint32_t clamp(std::uint64_t column) { return static_cast<std::uint32_t>(std::min(column, kColumnMax)); }

void add(std::uint32_t& sum, std::uint64_t column) { sum = clamp(sum + std::min(column, kColumnMax)); }

void add(std::uint64_t& sum, std::uint64_t bytes) {
  const std::uint64_t total = sum + bytes;
  sum = total < sum ? UINT64_MAX : total;
}

template <class Number>
void subtract(Number& sum, Number part) {
  sum -= std::min(sum, part);
}

// The same column of a record's newest slot, of an access and of a past slot.
struct Column {
  std::uint32_t Record::*now;
  std::uint64_t Access::*access;
  std::uint32_t SlotFigures::*past;
};
constexpr std::array<Column, 4> kColumns = {
    {{&Record::reads, &Access::reads, &SlotFigures::reads},
     {&Record::writes, &Access::writes, &SlotFigures::writes},
     {&Record::misses, &Access::misses, &SlotFigures::misses},
     {&Record::local_hits, &Access::local_hits, &SlotFigures::local_hits}}};

SlotFigures newest_figures(const Record& record, std::uint32_t base) {
  return {.bytes = record.bytes,
          .count = record.count - std::min(record.count, base),
          .reads = record.reads,
          .writes = record.writes,
          .misses = record.misses,
          .local_hits = record.local_hits,
          .factor = record.factor};
}

void start_slot(Record& record) {
  record.bytes = 0;
  record.reads = record.writes = record.misses = record.local_hits = 0;
  record.factor = 0;
}

// part of `earlier` in the proportion part : whole, rounded.
std::uint64_t in_proportion(std::uint64_t earlier, std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return 0;
  const long double share = static_cast<long double>(part) / static_cast<long double>(whole);
  return static_cast<std::uint64_t>(std::llround(share * static_cast<long double>(earlier)));
}

}  // namespace

void add_columns(Record& record, const Access& access, float factor) {
  record.factor = std::max(record.factor, factor);
  for (const Column& column : kColumns) add(record.*column.now, access.*column.access);
  add(record.bytes, access.bytes);
  add(record.writes_seen, access.writes);
  add(record.misses_seen, access.misses);
}

CandidateStore::CandidateStore(std::size_t capacity, std::uint32_t slots, std::size_t names_max)
    : slots_(slots),
      records_(capacity),
      upkeep_(capacity),
      rings_(capacity * slots),
      names_(names_max, capacity),
      index_(capacity) {
  living_.reserve(capacity);
  free_.reserve(capacity);
  for (std::size_t id = capacity; id-- > 0;) free_.push_back(static_cast<CandidateId>(id));
}

CandidateId CandidateStore::make(std::uint64_t hash, std::string_view key) {
  const CandidateId id = free_.back();
  free_.pop_back();
  names_.add(id, key);
  index_.insert(hash, id);
  records_[id] = {};
  records_[id].hash = hash;
  upkeep_[id] = {};
  upkeep_[id].alive = true;
  upkeep_[id].position = living_.size();
  living_.push_back(id);
  std::fill_n(ring(id), slots_, SlotFigures{});
  return id;
}

void CandidateStore::drop(CandidateId id) {
  index_.erase(records_[id].hash, id);
  names_.remove(id);
  const CandidateId last = living_.back();
  living_[upkeep_[id].position] = last;
  upkeep_[last].position = upkeep_[id].position;
  living_.pop_back();
  upkeep_[id].alive = false;
  free_.push_back(id);
}

std::optional<CandidateId> CandidateStore::find(std::uint64_t hash) const {
  const std::uint32_t id = index_.find(hash, [&](CandidateId found) { return records_[found].hash == hash; });
  if (id == RecordIndex::kNone) return std::nullopt;
  return id;
}

SlotFigures& CandidateStore::past(CandidateId id, Slot newest, std::uint32_t back) {
  return ring(id)[(newest + slots_ - back) % slots_];
}

void CandidateStore::rotate(CandidateId id, Slot ended, std::optional<std::uint32_t> lane_count) {
  Record& record = records_[id];
  SlotFigures& leaving = ring(id)[(ended + 1) % slots_];
  ring(id)[ended % slots_] = newest_figures(record, upkeep_[id].base);
  start_slot(record);
  subtract(record.count, leaving.count);
  subtract(record.writes_seen, leaving.writes);
  subtract(record.misses_seen, leaving.misses);
  if (lane_count) record.count = *lane_count;
  upkeep_[id].base = record.count;
  leaving = {};
}

void CandidateStore::backdate(CandidateId id, Slot newest, std::span<const Access> shares) {
  Record& record = records_[id];
  std::uint32_t back = 0;
  for (const Access& share : shares) {
    SlotFigures& there = past(id, newest, ++back);
    for (const Column& column : kColumns) {
      const std::uint32_t part = std::min(record.*column.now, clamp(share.*column.access));
      record.*column.now -= part;
      add(there.*column.past, part);
    }
    add(there.bytes, std::min(record.bytes, share.bytes));
    subtract(record.bytes, share.bytes);
    there.factor = std::max(there.factor, record.factor);
  }
}

void CandidateStore::backdate_count(CandidateId id, Slot newest, std::span<const std::uint32_t> parts) {
  std::uint32_t back = 0;
  for (const std::uint32_t part : parts) {
    add(past(id, newest, ++back).count, part);
    add(upkeep_[id].base, part);
  }
}

WindowSums CandidateStore::sums(CandidateId id, Slot newest) const {
  const Record& record = records_[id];
  WindowSums seen;
  double variance = 0;
  const auto add_slot = [&](const SlotFigures& slot) {
    seen.reads += slot.reads;
    seen.writes += slot.writes;
    seen.misses += slot.misses;
    seen.local_hits += slot.local_hits;
    add(seen.bytes, slot.bytes);
    const double factor = slot.count == 0 ? 1.0 : std::max(1.0, static_cast<double>(slot.factor));
    seen.factor_max = std::max(seen.factor_max, factor);
    variance += (factor - 1) * slot.count;
  };
  add_slot(newest_figures(record, upkeep_[id].base));
  std::for_each_n(ring(id), slots_, add_slot);

  WindowSums sums = seen;
  const std::uint64_t whole = seen.reads + seen.writes;
  const std::uint64_t earlier = record.count - std::min<std::uint64_t>(record.count, whole);
  sums.count = record.count;
  sums.writes = std::min<std::uint64_t>(seen.writes + in_proportion(earlier, seen.writes, whole), sums.count);
  sums.reads = sums.count - sums.writes;
  sums.misses = std::min(seen.misses + in_proportion(earlier, seen.misses, whole), sums.reads);
  sums.local_hits = std::min(seen.local_hits + in_proportion(earlier, seen.local_hits, whole), sums.reads);
  add(sums.bytes, in_proportion(earlier, seen.bytes, whole));
  sums.writes_seen = record.writes_seen;
  sums.misses_seen = record.misses_seen;
  sums.missed_max = newest < upkeep_[id].missed_until ? upkeep_[id].missed_max : 0;
  sums.sampling_error = 2 * std::sqrt(variance);
  return sums;
}

std::size_t CandidateStore::memory_bytes() const {
  const std::size_t each =
      sizeof(Record) + sizeof(Upkeep) + slots_ * sizeof(SlotFigures) + 2 * sizeof(CandidateId);
  return records_.size() * each + names_.memory_bytes() + index_.memory_bytes();
}

}  // namespace hotkeyd
