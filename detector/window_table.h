// The table that counts keys in a sliding window: HeavyKeeper's small keyed buckets with another admission
// rule.
//
// A key's hash chooses a bucket of seven lanes and a 32-bit fingerprint. A key that has a lane is counted
// exactly. One that has none asks for the lane of smallest priority (count + boost) and gets it with
// probability weight / (priority + 1): a key with f accesses is refused with probability at most e^(-f /
// (priority + 1)), so no bucket can lock. The newcomer's boost, about the priority it displaced, halves every
// slot: it survives its first moments. (HeavyKeeper, USENIX ATC'18; RAP, INFOCOM'17.) Published HeavyKeeper
// decays the incumbent with probability 1.08^-count instead, which practically never happens above a count of
// 90: warm keys then hold a bucket for ever. It is here as `Admission::heavy_keeper`, for comparison.
//
// A count is never above the truth but by another key with the same bucket and fingerprint (distinct keys per
// window * 7 / 2^32 of them), which the owner of the hash excludes. Expected loss before admission:
// 2 * accesses in the window / (7 * buckets) + 1.
//
// Slots: all buckets are in the same slot; `rotate` ends it for all of them. Pure, single-threaded, memory
// fixed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "detector/options.h"
#include "detector/window_buckets.h"
#include "detector/window_kernels.h"

namespace hotkeyd {

class WindowTable {
 public:
  // `buckets` is a power of two, `slots` 2 to 64.
  WindowTable(std::uint32_t buckets, std::uint32_t slots, Admission admission, std::uint64_t seed,
              const WindowKernels& kernels);

  // Counts a batch: probe, then admit from position 0 on; after a stop go on behind its position. A held row
  // is to be placed by the caller.
  void probe(Batch& batch) { kernels_.probe(view(), batch); }
  AdmitStop admit(const Batch& batch, std::size_t position);
  void place(Place place, std::uint64_t hash, std::uint32_t count, std::uint32_t priority);

  TableView view();

  // A count at or above it, or a marked lane, makes a row a touched one.
  void set_bar(std::uint32_t bar) { bar_ = bar; }
  std::uint32_t bar() const { return bar_; }

  // Ends slot `slot`, the newest; the next one is slot + 1.
  void rotate(std::uint64_t slot) { kernels_.rotate(view(), slot); }

  std::optional<Place> find(std::uint64_t hash) const;
  Place place_of(std::uint64_t hash, std::uint32_t lane) const { return {bucket_of(hash), lane}; }
  std::uint32_t count(Place place) const { return bucket(place).counts[place.lane]; }
  std::size_t tracked() const;

  // A lane, not marked, that a key of this weight wins by the rule of admission; it is to be placed.
  std::optional<Place> offer(std::uint64_t hash, std::uint32_t weight);

  void add(Place place, std::uint32_t weight);
  // Takes back what another key with the same fingerprint has added.
  void subtract(Place place, std::uint32_t weight);
  // Moves the given parts of what the newest slot brought into the slots before it: parts[0] into slot - 1.
  void backdate(Place place, std::uint64_t slot, std::span<const std::uint32_t> parts);

  // A candidate's lane is marked and links to it.
  bool marked(Place place) const { return (bucket(place).fingerprints[kSpare] >> place.lane & 1U) != 0; }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&buckets_[bucket_of(hash)], 1); }
  std::uint32_t link(Place place) const { return sides_[place.bucket].link[place.lane]; }
  void mark(Place place, std::uint32_t link);
  void unmark(Place place, std::uint32_t missed_max);

  // What the candidate of a lane takes over, and gives back when it returns to the table. `slot` is the
  // newest.
  std::uint32_t age(Place place) const;         // Slots since the key was placed, at most `slots`.
  std::uint32_t missed_max(Place place) const;  // Accesses possibly missed before; only of an unmarked lane.
  std::uint32_t missed_without_lane(std::uint64_t hash) const;
  std::uint32_t past(Place place, std::uint64_t slot, std::uint32_t back) const;  // back: 1 to slots - 1.
  void restore(Place place, std::uint64_t slot, std::uint32_t count, std::span<const std::uint32_t> past);

  std::size_t memory_bytes() const;

 private:
  AdmitStop admit_decaying(const Batch& batch, std::size_t position);
  AdmitStop admit_decaying_row(std::uint64_t hash, std::uint32_t weight);
  std::uint32_t decayed(std::uint32_t count, std::uint32_t weight);
  void settle(Place place);
  Lanes& ring(Place place, std::uint64_t slot, std::uint32_t back);
  std::uint32_t bucket_of(std::uint64_t hash) const {
    return static_cast<std::uint32_t>(hash) & static_cast<std::uint32_t>(buckets_.size() - 1);
  }
  Bucket& bucket(Place place) { return buckets_[place.bucket]; }
  const Bucket& bucket(Place place) const { return buckets_[place.bucket]; }

  const WindowKernels& kernels_;
  Admission admission_;
  std::uint32_t slots_;
  std::uint32_t bar_ = UINT32_MAX;
  Random dice_;
  std::vector<Bucket> buckets_;
  std::vector<Side> sides_;
  std::vector<RingRow> rows_;
};

}  // namespace hotkeyd
