// Counts the accesses of one namespace in one sliding window, in fixed memory.
//
// This is the counting half of the detector: it knows keys, slots and counts, but no rules. It keeps
// HeavyKeeper's small keyed buckets on a sliding window (`window_table.h`), and for every key that reaches
// `candidate_min` a *candidate*: a record with the key's bytes, its columns per slot, and the triggers at
// which the deciding half wants to be told. It calls the CandidateListener on the very access that crosses,
// in the middle of a batch.
//
// Pure and single-threaded: slots and a seed come in, no clock, no I/O; no allocation after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "detector/access.h"
#include "detector/options.h"

namespace hotkeyd {

using CandidateId = std::uint32_t;  // Stable while the candidate lives; reused afterwards.
using Slot = std::uint64_t;  // Number of the slot since the detector's start: floor((now - start) / slot).

// Window figures at or above which the listener is told, once each until set anew. kNever: not at all.
struct Triggers {
  static constexpr std::uint32_t kNever = UINT32_MAX;
  std::uint32_t count = kNever;
  std::uint32_t writes = kNever;
  std::uint32_t misses = kNever;
};

// Sums over the window. count = reads + writes.
struct WindowSums {
  std::uint64_t count = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;
  std::uint64_t local_hits = 0;
  std::uint64_t bytes = 0;
  // Writes and misses seen since the key is a candidate: what triggers of writes and misses compare with. The
  // figures above also hold the earlier accesses, split in the proportion seen since (for display).
  std::uint64_t writes_seen = 0;
  std::uint64_t misses_seen = 0;
  // Accesses possibly missed before admission (7 * (p + 1), p the displaced priority); 0 once tracked for a
  // whole window.
  std::uint64_t missed_max = 0;
  double factor_max = 1;      // Largest sampling factor in the window.
  double sampling_error = 0;  // 2 * sqrt((f - 1) * count), summed as the contract says.
};

class CandidateListener {
 public:
  virtual ~CandidateListener() = default;
  // The key became a candidate: match its rule and say when to call. Called on the access that made it one,
  // which is counted already; when the triggers returned are already reached, `reached` follows at once.
  virtual Triggers appeared(CandidateId id, std::string_view key) = 0;
  // A trigger was reached by the access just counted. Returns the next triggers.
  virtual Triggers reached(CandidateId id) = 0;
  // The candidate is about to be forgotten (cold, or the coolest where records or names are full).
  virtual void forgotten(CandidateId id) = 0;
};

struct CounterOptions {
  std::uint32_t buckets = 4096;  // A power of two.
  std::uint32_t slots = 10;
  std::uint32_t candidate_min = 250;    // T_min / 4, at least 1.
  std::size_t candidates_max = 20'000;  // 2 * hot_keys_max.
  std::size_t names_max = 4 << 20;      // Bytes.
  std::size_t top_k = 1000;
  Admission admission = Admission::randomized;
  std::uint64_t seed = 0;
  bool vectorized = true;  // Use AVX2 where the processor has it. The results are the same either way.
};

struct CounterStats {
  std::uint64_t candidates_evicted = 0;  // The coolest that is not kept went because records were full.
  std::uint64_t names_evicted = 0;       // The same because the name arena was full.
  std::uint64_t refused = 0;             // A newcomer found only kept candidates and got no record.
  std::size_t tracked = 0;               // Keys in the table with a count, as of the last tick.
  std::size_t candidates = 0;
  std::size_t names_bytes = 0;
};

class Counter {
 public:
  Counter(const CounterOptions& options, CandidateListener& listener);
  ~Counter();
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  // Counts the accesses in `slot`, or spread evenly over the `spread` newest slots (1: all in `slot`; the
  // remainder to the oldest). `hashes[i]` is the seeded hash of `accesses[i].key`. Columns saturate at 2^32
  // - 1. With factor > 1 each column is multiplied and rounded at random without bias. Slots never decrease;
  // a jump ages everything at once.
  void observe(std::span<const Access> accesses, std::span<const std::uint64_t> hashes, Slot slot,
               std::uint32_t spread, double factor);

  // Ends every slot before `slot`: afterwards sums cover exactly the window that ended at the start of `slot`
  // until the next observe. Forgets cold candidates.
  void tick(Slot slot);

  // The key's count in the window now; 0 while not tracked.
  std::uint32_t count(std::uint64_t hash, Slot slot);
  std::optional<CandidateId> find(std::uint64_t hash, std::string_view key) const;

  // Makes the key a candidate whatever its count (a pin, a denial: orders keep their record); nullopt where
  // only kept candidates are left.
  std::optional<CandidateId> ensure(std::uint64_t hash, std::string_view key, Slot slot);
  // Kept candidates (hot, or under an order) are never forgotten or evicted.
  void keep(CandidateId id, bool kept);
  void set_triggers(CandidateId id, Triggers triggers);
  // After a change of rules. Keys already at a lower count become candidates with their next access.
  void set_candidate_min(std::uint32_t candidate_min);

  std::string_view key(CandidateId id) const;
  std::uint64_t hash(CandidateId id) const;
  WindowSums sums(CandidateId id, Slot slot);
  // Of a key that is no candidate: all accesses as reads, the errors by the largest factor of each slot.
  WindowSums sums_without_record(std::uint64_t hash, Slot slot);
  // Accesses counted in the window, all keys together.
  std::uint64_t total(Slot slot);

  // The up to n candidates with the largest counts now, falling; ties by key bytes. n is cut at top_k.
  std::vector<CandidateId> top(std::size_t n, Slot slot);
  // Every living candidate.
  std::vector<CandidateId> candidates() const;

  CounterStats stats() const;
  std::size_t memory_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hotkeyd
