// One sliding window of one namespace: its counter, its slots in time, and what the deciding half keeps for
// each of its candidates.
//
// A longer window has as many slots as the base window, each proportionally longer. Slots are numbered from
// the detector's start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "detector/counter.h"
#include "detector/hot_record.h"
#include "detector/rules.h"

namespace hotkeyd {

class Namespace;

struct CandidateState {
  static constexpr std::uint32_t kNotWatched = UINT32_MAX;

  const Rule* rule = nullptr;  // Null: no rule, or one of another window; then never hot by its figures.
  HotRecord* hot = nullptr;
  UnixMs since_ms = 0;                  // Since when it is warm.
  std::uint32_t watched = kNotWatched;  // Its place in the list of those that each tick looks at.
  bool is_waiting = false;              // At a way in, but something is in the way.
  bool was_evicted = false;  // Then it comes back only when clearly hotter: two keys must not take turns.
  bool share_tried = false;  // In this slot: a share is tried once between two ticks.
};

class Window final : private CandidateListener {
 public:
  Window(Duration length, std::uint32_t slots, Time start, Time now, const CounterOptions& options,
         Namespace& owner);

  Duration length() const { return length_; }
  Slot slot() const { return slot_; }
  // Enters the slot of `now` and ends those before it; false while it is still the same one.
  bool advance(Time now);
  // False after the start, and after more than two slots at once (the clock jumped, or the process was
  // stopped).
  bool has_seen_whole_window() const { return slot_ >= seen_from_ + slots_; }
  Time next_edge(Time now) const;

  void observe(std::span<const Access> accesses, std::span<const std::uint64_t> hashes, Duration age,
               double factor);
  void add_lost(std::uint64_t accesses);

  // A key's sums and their surroundings, now.
  WindowView view(CandidateId id);
  // The same for a key that has no record: its accesses count as reads.
  WindowView view_without_record(std::uint64_t hash);
  WindowScale scale();
  // All accesses of the window that ended at the last tick.
  std::uint64_t last_total() const { return last_total_; }

  Counter& counter() { return counter_; }
  const Counter& counter() const { return counter_; }
  CandidateState& state(CandidateId id);

  std::size_t memory_bytes() const {
    return counter_.memory_bytes() + states_.capacity() * sizeof(CandidateState);
  }

  void watch(CandidateId id);
  void unwatch(CandidateId id);
  const std::vector<CandidateId>& watched() const { return watched_; }

 private:
  Triggers appeared(CandidateId id, std::string_view key) override;
  Triggers reached(CandidateId id) override;
  void forgotten(CandidateId id) override;

  WindowView view_of(const WindowSums& sums);
  Slot slot_at(Time now) const;
  Slot first_whole(Time now) const;  // The first slot that is seen from its beginning.
  std::uint32_t spread(Duration age) const;
  std::vector<Access> within_window(std::span<const Access> accesses, std::uint32_t parts) const;
  void clear_lost(Slot entered);

  Duration length_;
  std::uint32_t slots_;
  Duration slot_length_;
  Time start_;
  Namespace& owner_;
  Slot slot_;
  Slot seen_from_;  // Counting is complete from here on.
  Slot last_observed_;
  std::uint64_t last_total_ = 0;
  std::vector<std::uint64_t> lost_;  // By slot, a ring; one more than a window has, for the slot that runs.
  std::vector<CandidateState> states_;  // Grows with the ids in use, inside its reserve.
  std::vector<CandidateId> watched_;
  Counter counter_;
};

}  // namespace hotkeyd
