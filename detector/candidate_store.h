// The candidates' records, names and index, in memory fixed at construction.
//
// It knows neither the table nor the rules of who stays: `counter.cc` decides, this keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "detector/candidate_record.h"
#include "detector/name_arena.h"
#include "detector/record_index.h"
#include "detector/untouched_array.h"

namespace hotkeyd {

class CandidateStore {
 public:
  CandidateStore(std::size_t capacity, std::uint32_t slots, std::size_t names_max);

  std::size_t capacity() const { return records_.size(); }
  bool full() const { return free_.empty(); }
  bool name_fits(std::size_t bytes) const { return names_.fits(bytes); }
  CandidateId make(std::uint64_t hash, std::string_view key);  // Not full, and the name fits.
  void drop(CandidateId id);

  std::span<Record> records() { return records_.all(); }
  Record& record(CandidateId id) { return records_[id]; }
  const Record& record(CandidateId id) const { return records_[id]; }
  Upkeep& upkeep(CandidateId id) { return upkeep_[id]; }
  const Upkeep& upkeep(CandidateId id) const { return upkeep_[id]; }
  std::string_view key(CandidateId id) const { return names_.name(id); }
  std::optional<CandidateId> find(std::uint64_t hash) const;
  const std::vector<CandidateId>& living() const { return living_; }

  SlotFigures& past(CandidateId id, Slot newest, std::uint32_t back);  // back: 1 to slots - 1.

  // Ends slot `ended`. `lane_count`: the count of the key's lane after it, where it has one.
  void rotate(CandidateId id, Slot ended, std::optional<std::uint32_t> lane_count);
  void prefetch_rotation(CandidateId id, Slot ended) const {
    __builtin_prefetch(&records_[id], 1);
    __builtin_prefetch(&upkeep_[id], 1);
    __builtin_prefetch(ring(id) + ended % slots_, 1);
    __builtin_prefetch(ring(id) + (ended + 1) % slots_, 1);
  }
  // Moves columns from the newest slot into those before it: shares[0] into newest - 1.
  void backdate(CandidateId id, Slot newest, std::span<const Access> shares);
  // The same of the candidate's count.
  void backdate_count(CandidateId id, Slot newest, std::span<const std::uint32_t> parts);

  WindowSums sums(CandidateId id, Slot newest) const;

  std::size_t names_bytes() const { return names_.bytes(); }
  std::size_t memory_bytes() const;

 private:
  SlotFigures* ring(CandidateId id) { return &rings_[std::size_t{id} * slots_]; }
  const SlotFigures* ring(CandidateId id) const { return &rings_[std::size_t{id} * slots_]; }

  std::uint32_t slots_;
  UntouchedArray<Record> records_;  // This and the next two: assigned by `make`.
  UntouchedArray<Upkeep> upkeep_;
  UntouchedArray<SlotFigures> rings_;
  std::vector<CandidateId> free_;
  std::vector<CandidateId> living_;
  NameArena names_;
  RecordIndex index_;
};

}  // namespace hotkeyd
