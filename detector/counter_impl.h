// How the counter works inside: the table counts every key, the store keeps the candidates, this joins them.
//
// A candidate's lane in the table is marked and links to its record; the lane's count is the candidate's. A
// kept candidate whose lane went to another key, or that never had one, is an *orphan*: its record counts
// alone, found by the index whenever a row misses the table, and asks for a lane again with its whole count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "detector/candidate_bar.h"
#include "detector/candidate_store.h"
#include "detector/coolest_queue.h"
#include "detector/counter.h"
#include "detector/window_table.h"

namespace hotkeyd {

class Counter::Impl {
 public:
  Impl(const CounterOptions& options, CandidateListener& listener);

  // counter_impl.cc: counting.
  void observe(std::span<const Access> accesses, std::span<const std::uint64_t> hashes, Slot slot,
               std::uint32_t spread, double factor);

  // counter_candidates.cc: who becomes a candidate, and where it is counted.
  std::optional<CandidateId> ensure(std::uint64_t hash, std::string_view key);
  void keep(CandidateId id, bool kept);

  // counter_upkeep.cc: the passing of slots, and reading.
  void advance(Slot newest);
  void look(Slot slot) {
    advance(slot == 0 ? 0 : slot - 1);
  }  // The window that ended at the start of `slot`.
  void tick(Slot slot);
  std::uint32_t count(std::uint64_t hash) const;
  std::optional<CandidateId> find(std::uint64_t hash, std::string_view key) const;
  std::vector<CandidateId> top(std::size_t n) const;
  CounterStats stats() const;
  std::size_t memory_bytes() const;
  WindowSums sums(CandidateId id) const { return store_.sums(id, newest_); }
  WindowSums sums_without_record(std::uint64_t hash) const;
  std::uint64_t total() const { return total_; }
  CandidateStore& store() { return store_; }
  void set_candidate_min(std::uint32_t candidate_min) {
    bar_.set_candidate_min(candidate_min);
    update_bar();
  }

 private:
  struct Row {
    const Access& access;
    std::uint64_t hash;
    std::uint32_t weight;
    double factor;
    std::span<const Access> shares = {};  // Of the slots before the newest, the newest of them first.
  };
  struct SlotTotal {
    std::uint64_t count = 0;
    double factor = 1;  // Largest sampling factor.
  };

  void count_batch(std::span<const Access> accesses, const std::uint64_t* hashes, double factor);
  void count_spread(const Access& access, std::uint64_t hash, std::uint32_t spread, double factor);
  std::optional<Place> count_in_table(const Row& row);
  void admit_all(std::span<const Access> accesses, double factor);
  void take_orphans(std::span<const Access> accesses, double factor);
  void add_total(Slot slot, std::uint64_t count, double factor);
  void touch(const Row& row, Place place);
  void touch_all(std::span<const Access> accesses, double factor);
  std::size_t touch_known(std::span<const Access> accesses, std::size_t at);
  // The candidate's count is up to date: adds the columns and tells the listener what was reached.
  void settle(CandidateId id, const Row& row) {
    Record& record = store_.record(id);
    add_columns(record, row.access, static_cast<float>(row.factor));
    if (!row.shares.empty()) [[unlikely]]
      store_.backdate(id, newest_, row.shares);
    if (reached(record)) [[unlikely]] {
      if (store_.key(id) == row.access.key) tell(id);
    }
  }
  void tell(CandidateId id);

  std::optional<CandidateId> make(std::uint64_t hash, std::string_view key, std::uint32_t count, bool forced);
  void make_on_lane(const Row& row, Place place);
  bool make_room(std::size_t key_bytes, std::uint32_t count_max, bool for_name);
  void link(CandidateId id, Place place);
  void detach(Place place);
  void orphan(CandidateId id);
  void count_orphan(CandidateId id, const Row& row);
  void adopt(CandidateId id);
  void forget(CandidateId id);

  void rotate();
  void forget_cold();
  void update_bar() { table_.set_bar(bar_.height()); }
  SlotTotal& total_of(Slot slot) { return totals_[slot % options_.slots]; }
  // Of the newest slot (0) or one before it; 1 or more.
  double factor_of(std::uint32_t back) const {
    return totals_[(newest_ + options_.slots - back) % options_.slots].factor;
  }

  CounterOptions options_;
  CandidateListener& listener_;
  WindowTable table_;
  CandidateStore store_;
  CoolestQueue coolest_;
  CandidateBar bar_;
  Random dice_;  // For rounding.
  std::vector<SlotTotal> totals_;
  std::uint64_t total_ = 0;
  Slot newest_ = 0;
  Slot ticked_ = 0;
  std::size_t orphans_ = 0;
  Batch batch_;
  std::vector<Access> shares_;         // Scratch.
  std::vector<std::uint32_t> parts_;   // Scratch.
  std::vector<std::uint32_t> counts_;  // Scratch.
  CounterStats stats_;
};

}  // namespace hotkeyd
