#include "detector/window_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "detector/window_lane.h"

namespace hotkeyd {
namespace {

constexpr double kDecayBase = 1.08;
constexpr std::uint32_t kDecayNeverFrom = 256;  // 1.08^-256 is 3e-9.

std::optional<std::uint32_t> lane_of(const Bucket& bucket, std::uint32_t fingerprint) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (bucket.fingerprints[lane] == fingerprint) return lane;
  }
  return std::nullopt;
}

Lowest lowest_count(const Bucket& bucket) {
  Lowest low{0, bucket.counts[0]};
  for (std::uint32_t lane = 1; lane < kLanes; ++lane) {
    if (bucket.counts[lane] < low.priority) low = {lane, bucket.counts[lane]};
  }
  return low;
}

bool is_fresh(const Bucket& bucket, std::uint32_t lane) { return (bucket.counts[kSpare] >> lane & 1U) != 0; }

std::uint32_t missed_at(std::uint64_t priority) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(kLanes * (priority + 1), UINT32_MAX));
}

void set_age(Side& side, std::uint32_t lane, std::uint32_t age) {
  LaneBytes ages;
  load_ages(side, ages);
  ages[lane] = static_cast<std::uint8_t>(age);
  store_ages(side, ages);
}

}  // namespace

WindowTable::WindowTable(std::uint32_t buckets, std::uint32_t slots, Admission admission, std::uint64_t seed,
                         const WindowKernels& kernels)
    : kernels_(kernels),
      admission_(admission),
      slots_(slots),
      dice_(seed),
      buckets_(buckets),
      sides_(buckets),
      rows_(std::size_t{buckets} * slots) {
  assert(std::has_single_bit(buckets) && slots >= 2 && slots <= 64);
}

AdmitStop WindowTable::admit(const Batch& batch, std::size_t position) {
  if (admission_ == Admission::randomized) return kernels_.admit(view(), batch, position);
  return admit_decaying(batch, position);
}

AdmitStop WindowTable::admit_decaying(const Batch& batch, std::size_t position) {
  for (; position < batch.missed_size; ++position) {
    const std::size_t row = batch.missed_rows[position];
    AdmitStop stop = admit_decaying_row(batch.hashes[row], batch.weights[row]);
    stop.position = position;
    if (stop.why != AdmitStop::Why::end) return stop;
  }
  return {};
}

AdmitStop WindowTable::admit_decaying_row(std::uint64_t hash, std::uint32_t weight) {
  using Why = AdmitStop::Why;
  if (const auto found = find(hash)) {
    add(*found, weight);
    return {marked(*found) || count(*found) >= bar_ ? Why::touched : Why::end, 0, found->lane, 0};
  }
  Bucket& bucket = buckets_[bucket_of(hash)];
  const Lowest low = lowest_count(bucket);
  bucket.counts[low.lane] = decayed(low.priority, weight);
  if (bucket.counts[low.lane] > 0 || weight == 0) return {};
  const Place here = place_of(hash, low.lane);
  if (marked(here)) return {Why::held, 0, low.lane, low.priority};
  place(here, hash, weight, low.priority);
  return {weight >= bar_ ? Why::touched : Why::end, 0, low.lane, 0};
}

// What is left of a count after `weight` accesses of others, each of which takes one with
// probability 1.08^-count.
std::uint32_t WindowTable::decayed(std::uint32_t count, std::uint32_t weight) {
  double left = weight;
  while (count > 0 && count < kDecayNeverFrom && left > 0) {
    const double chance = std::pow(kDecayBase, -static_cast<double>(count));
    left -= 1 + std::floor(std::log1p(-dice_.fraction()) / std::log1p(-chance));
    if (left >= 0) --count;
  }
  return count;
}

void WindowTable::place(Place place, std::uint64_t hash, std::uint32_t count, std::uint32_t priority) {
  assert(!marked(place));
  hotkeyd::place(bucket(place), {place.lane, priority}, {fingerprint_of(hash), count});
  note_loss(bucket(place), priority);
  if (priority >= kFarPriority) sides_[place.bucket].link[place.lane] = priority;
}

std::optional<Place> WindowTable::find(std::uint64_t hash) const {
  const auto lane = lane_of(buckets_[bucket_of(hash)], fingerprint_of(hash));
  if (!lane) return std::nullopt;
  return place_of(hash, *lane);
}

std::size_t WindowTable::tracked() const {
  std::size_t tracked = 0;
  for (const Bucket& bucket : buckets_) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      tracked += static_cast<std::size_t>(bucket.counts[lane] > 0);
  }
  return tracked;
}

void WindowTable::add(Place place, std::uint32_t weight) {
  bucket(place).counts[place.lane] = saturating_add(count(place), weight);
}

void WindowTable::subtract(Place place, std::uint32_t weight) {
  bucket(place).counts[place.lane] -= std::min(count(place), weight);
}

void WindowTable::backdate(Place place, std::uint64_t slot, std::span<const std::uint32_t> parts) {
  settle(place);
  Side& side = sides_[place.bucket];
  const std::uint32_t known = age(place);
  for (std::uint32_t back = 1; back <= parts.size(); ++back) {
    Lanes& there = ring(place, slot, back);
    if (back > known) there[place.lane] = 0;
    there[place.lane] = saturating_add<std::uint32_t>(there[place.lane], parts[back - 1]);
    side.base[place.lane] = saturating_add<std::uint32_t>(side.base[place.lane], parts[back - 1]);
  }
  set_age(side, place.lane, std::max(known, static_cast<std::uint32_t>(parts.size())));
}

// Writes down what a fresh lane's Side line is taken to say.
void WindowTable::settle(Place place) {
  if (!is_fresh(bucket(place), place.lane)) return;
  bucket(place).counts[kSpare] &= ~(1U << place.lane);
  sides_[place.bucket].base[place.lane] = 0;
  set_age(sides_[place.bucket], place.lane, 0);
}

void WindowTable::mark(Place place, std::uint32_t link) {
  bucket(place).fingerprints[kSpare] |= 1U << place.lane;
  sides_[place.bucket].link[place.lane] = link;
}

void WindowTable::unmark(Place place, std::uint32_t missed_max) {
  bucket(place).fingerprints[kSpare] &= ~(1U << place.lane);
  sides_[place.bucket].link[place.lane] = missed_max == 0 ? 0 : missed_max / kLanes - 1;
}

std::optional<Place> WindowTable::offer(std::uint64_t hash, std::uint32_t weight) {
  const Lowest low = lowest_count(buckets_[bucket_of(hash)]);
  const Place place = place_of(hash, low.lane);
  const std::uint64_t dice = static_cast<std::uint32_t>(dice_.next());
  const bool wins = (dice * (low.priority + 1ULL)) >> 32 < weight;
  if (!wins || marked(place)) return std::nullopt;
  return place;
}

std::uint32_t WindowTable::age(Place place) const {
  if (is_fresh(bucket(place), place.lane)) return 0;
  LaneBytes ages;
  load_ages(sides_[place.bucket], ages);
  return ages[place.lane];
}

std::uint32_t WindowTable::missed_max(Place place) const {
  const std::uint32_t marks = bucket(place).fingerprints[kSpare];
  if ((marks & (kLossNow | kLossBefore)) == 0) return 0;
  const std::uint32_t code = marks >> code_shift(place.lane) & 7U;
  return missed_at(code == kMissedFar ? link(place) : (2U << code) - 2);
}

std::uint32_t WindowTable::missed_without_lane(std::uint64_t hash) const {
  const Bucket& bucket = buckets_[bucket_of(hash)];
  if ((bucket.fingerprints[kSpare] & (kLossNow | kLossBefore)) == 0) return 0;
  return missed_at(lowest_count(bucket).priority);
}

std::uint32_t WindowTable::past(Place place, std::uint64_t slot, std::uint32_t back) const {
  if (back > age(place)) return 0;
  return const_cast<WindowTable*>(this)->ring(place, slot, back)[place.lane];
}

void WindowTable::restore(Place place, std::uint64_t slot, std::uint32_t count,
                          std::span<const std::uint32_t> past) {
  settle(place);
  set_age(sides_[place.bucket], place.lane, slots_);
  std::uint32_t base = 0;
  for (std::uint32_t back = 1; back < slots_; ++back) {
    ring(place, slot, back)[place.lane] = past[back - 1];
    base = saturating_add(base, past[back - 1]);
  }
  sides_[place.bucket].base[place.lane] = base;
  bucket(place).counts[place.lane] = count;
}

Lanes& WindowTable::ring(Place place, std::uint64_t slot, std::uint32_t back) {
  const std::size_t position = (slot + slots_ - back) % slots_;
  return rows_[std::size_t{place.bucket} * slots_ + position].counts;
}

TableView WindowTable::view() {
  const auto mask = static_cast<std::uint32_t>(buckets_.size() - 1);
  return {buckets_.data(), sides_.data(), rows_.data(), mask, slots_, bar_, &dice_};
}

std::size_t WindowTable::memory_bytes() const {
  return buckets_.size() * (sizeof(Bucket) + sizeof(Side) + slots_ * sizeof(RingRow));
}

}  // namespace hotkeyd
