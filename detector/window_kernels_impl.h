// The kernels as templates: included by the two files that compile them, each for its own processor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detector/lanes.h"
#include "detector/window_kernels.h"
#include "detector/window_lane.h"

namespace hotkeyd {

// Isa::mask(flags): one bit for each lane that is all ones.
template <class Isa>
struct Kernels {
  static std::uint32_t match(const Bucket& bucket, std::uint32_t fingerprint) {
    const Lanes wanted = Lanes{} + fingerprint;
    const SignedLanes equal = bucket.fingerprints == wanted;
    return Isa::mask(equal) & kAllLanes;
  }

  static void probe(const TableView& table, Batch& batch) {
    Bucket* const buckets = table.buckets;
    const std::uint32_t mask = table.bucket_mask;
    const std::uint32_t bar = table.bar;
    const std::uint64_t* const hashes = batch.hashes;
    std::size_t touched = 0;
    std::size_t missed = 0;
    for (std::size_t row = 0; row < batch.size; ++row) {
      const std::uint64_t hash = hashes[row];
      const std::uint32_t at = static_cast<std::uint32_t>(hash) & mask;
      Bucket& bucket = buckets[at];
      const std::uint32_t found = match(bucket, fingerprint_of(hash));
      const bool hit = found != 0;
      // Where nothing was found the spare word gets nothing added.
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(found | 1U << kSpare));
      const std::uint32_t weight = batch.weights[row] & (0U - static_cast<std::uint32_t>(hit));
      const std::uint32_t count = saturating_add(bucket.counts[lane], weight);
      bucket.counts[lane] = count;
      const bool marked = (bucket.fingerprints[kSpare] & found) != 0;
      batch.touched_rows[touched] = static_cast<std::uint8_t>(row);
      batch.touched_places[touched] = {at, lane};
      touched += static_cast<std::size_t>(hit & (marked | (count >= bar)));
      batch.missed_rows[missed] = static_cast<std::uint8_t>(row);
      missed += static_cast<std::size_t>(!hit);
    }
    batch.touched_size = touched;
    batch.missed_size = missed;
  }

  // The lane of smallest priority = count + boost, the first of equals.
  static Lowest lowest(const Bucket& bucket) {
    constexpr Lanes kShifts = {8, 11, 14, 17, 20, 23, 26, 0};
    constexpr Lanes kNumbers = {0, 1, 2, 3, 4, 5, 6, 0x7fffffff};  // The spare word is never the smallest.
    const Lanes codes = ((Lanes{} + bucket.counts[kSpare]) >> kShifts) & 7U;
    const Lanes boosts = (((Lanes{} + 1U) << codes) - 1U) << 2U;
    Lanes counts;
    Isa::limit(bucket.counts, kPriorityMax, counts);
    const std::uint32_t rank = Isa::smallest((counts + boosts) << 3U | kNumbers);
    return {rank & 7U, rank >> 3U};
  }

  static AdmitStop admit(const TableView& table, const Batch& batch, std::size_t position) {
    const TableView local = table;
    Random dice = *local.dice;
    Bucket losers;
    AdmitStop stop;
    for (; position < batch.missed_size; ++position) {
      const std::size_t row = batch.missed_rows[position];
      stop = admit_row(local, batch.hashes[row], batch.weights[row], dice, losers);
      if (stop.why != AdmitStop::Why::end) [[unlikely]]
        break;
    }
    *local.dice = dice;
    stop.position = position;
    return stop;
  }

  // Whether a row wins is anybody's guess, so there is no branch: losers are placed too, in a bucket of no
  // use.
  static AdmitStop admit_row(const TableView& table, std::uint64_t hash, std::uint32_t weight, Random& dice,
                             Bucket& losers) {
    const std::uint32_t at = static_cast<std::uint32_t>(hash) & table.bucket_mask;
    Bucket& bucket = table.buckets[at];
    const std::uint32_t found = match(bucket, fingerprint_of(hash));
    if (found != 0) [[unlikely]] {  // An earlier row of the batch has placed it.
      return count_placed(table, bucket, static_cast<std::uint32_t>(std::countr_zero(found)), weight);
    }
    const Lowest low = lowest(bucket);
    const std::uint64_t draw = static_cast<std::uint32_t>(dice.next());
    const bool wins = (draw * (low.priority + 1ULL)) >> 32 < weight;
    const bool held = (bucket.fingerprints[kSpare] >> low.lane & 1U) != 0;
    if (wins & held) [[unlikely]]
      return {AdmitStop::Why::held, 0, low.lane, low.priority};
    const std::array<Bucket*, 2> targets = {&losers, &bucket};
    place(*targets[static_cast<std::size_t>(wins)], low, {fingerprint_of(hash), weight});
    note_loss(bucket, low.priority);
    if (low.priority >= kFarPriority) [[unlikely]] {
      if (wins) table.sides[at].link[low.lane] = low.priority;
    }
    if (wins & (weight >= table.bar)) [[unlikely]]
      return {AdmitStop::Why::touched, 0, low.lane, 0};
    return {};
  }

  static AdmitStop count_placed(const TableView& table, Bucket& bucket, std::uint32_t lane,
                                std::uint32_t weight) {
    const std::uint32_t count = saturating_add(bucket.counts[lane], weight);
    bucket.counts[lane] = count;
    const bool marked = (bucket.fingerprints[kSpare] >> lane & 1U) != 0;
    return {marked || count >= table.bar ? AdmitStop::Why::touched : AdmitStop::Why::end, 0, lane, 0};
  }

  static void rotate(const TableView& table, std::uint64_t ended) {
    constexpr std::size_t kAhead = 8;  // Buckets; the hardware does not foresee such strides.
    const std::size_t from = ended % table.slots;
    const std::size_t to = (ended + 1) % table.slots;
    for (std::size_t at = 0; at <= table.bucket_mask; ++at) {
      RingRow* ring = table.rows + at * table.slots;
      __builtin_prefetch(ring + kAhead * table.slots + from, 1);
      __builtin_prefetch(ring + kAhead * table.slots + to, 1);
      rotate_bucket(table.buckets[at], table.sides[at], ring[from].counts, ring[to].counts, table.slots);
      if (to == 0) shift_loss(table.buckets[at]);
    }
  }

  static void rotate_bucket(Bucket& bucket, Side& side, Lanes& ended, Lanes& leaving, std::uint32_t slots) {
    constexpr LaneBytes kBits = {1, 2, 4, 8, 16, 32, 64, 0};
    constexpr LaneBytes kOnes = {1, 1, 1, 1, 1, 1, 1, 0};
    const std::uint32_t meta = bucket.counts[kSpare];
    const LaneBytes fresh = LaneBytes((kBits & static_cast<std::uint8_t>(meta)) != 0);
    LaneBytes ages;
    load_ages(side, ages);
    ages &= ~fresh;
    const LaneBytes own = LaneBytes(ages >= static_cast<std::uint8_t>(slots - 1));
    ages += kOnes & LaneBytes(ages < static_cast<std::uint8_t>(slots));

    Lanes fresh_lanes;
    widen(fresh, fresh_lanes);
    const Lanes base = side.base & ~fresh_lanes;
    const Lanes counts = bucket.counts;
    // Only decaying admission lets a count fall below its base.
    const Lanes brought = counts < base ? Lanes{} : counts - base;
    Lanes own_lanes;
    widen(own, own_lanes);
    const Lanes gone = leaving & own_lanes;
    Lanes left = counts < gone ? Lanes{} : counts - gone;
    left[kSpare] = 0;
    ended = brought;
    leaving = Lanes{};
    side.base = left;
    store_ages(side, ages);
    forget_empty(bucket, left);
    left[kSpare] = decayed_boosts(meta);
    bucket.counts = left;
  }

  static void widen(const LaneBytes& mask, Lanes& wide) {
    using SignedBytes = std::int8_t __attribute__((vector_size(8)));
    wide = Lanes(__builtin_convertvector(SignedBytes(mask), SignedLanes));
  }

  static void forget_empty(Bucket& bucket, const Lanes& counts) {
    constexpr Lanes kBits = {1, 2, 4, 8, 16, 32, 64, 0};
    const std::uint32_t marks = bucket.fingerprints[kSpare];
    const Lanes unmarked = Lanes(((Lanes{} + marks) & kBits) == 0U);
    const Lanes empty = Lanes(counts == 0U) & unmarked;
    bucket.fingerprints &= ~empty;
    bucket.fingerprints[kSpare] = marks;
  }

  static std::uint32_t decayed_boosts(std::uint32_t meta) {
    const std::uint32_t codes = meta >> kCodeShift;
    const std::uint32_t not_zero = (codes | codes >> 1 | codes >> 2) & kBoostLowBits;
    return (codes - not_zero) << kCodeShift;
  }
};

}  // namespace hotkeyd
