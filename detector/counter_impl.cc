#include "detector/counter_impl.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "detector/access_math.h"

namespace hotkeyd {
namespace {

constexpr int kReachedMax = 8;  // Triggers that one access may run through.

}  // namespace

Counter::Impl::Impl(const CounterOptions& options, CandidateListener& listener)
    : options_(options),
      listener_(listener),
      table_(options.buckets, options.slots, options.admission, options.seed,
             options.vectorized ? best_kernels() : kPlainKernels),
      store_(std::max(options.candidates_max, options.top_k), options.slots, options.names_max),
      coolest_(store_),
      bar_(options.candidate_min, options.top_k),
      dice_(~options.seed),
      totals_(options.slots) {
  shares_.reserve(options.slots);
  parts_.reserve(options.slots);
  counts_.reserve(store_.capacity());
  update_bar();
}

void Counter::Impl::observe(std::span<const Access> accesses, std::span<const std::uint64_t> hashes,
                            Slot slot, std::uint32_t spread, double factor) {
  assert(accesses.size() == hashes.size());
  advance(slot);
  spread = std::clamp<std::uint32_t>(spread, 1, options_.slots);
  std::array<Access, kBatchMax> scaled_up;
  for (std::size_t from = 0; from < accesses.size(); from += kBatchMax) {
    std::span<const Access> some = accesses.subspan(from, std::min(kBatchMax, accesses.size() - from));
    if (factor > 1) {
      std::transform(some.begin(), some.end(), scaled_up.begin(),
                     [&](const Access& access) { return scaled(access, factor, dice_); });
      some = std::span<const Access>{scaled_up}.first(some.size());
    }
    if (spread == 1) {
      count_batch(some, &hashes[from], factor);
    } else {
      for (std::size_t row = 0; row < some.size(); ++row) {
        count_spread(some[row], hashes[from + row], spread, factor);
      }
    }
  }
}

// The row is counted on the lane: count it for the lane's candidate, or make one.
inline void Counter::Impl::touch(const Row& row, Place place) {
  if (!table_.marked(place)) [[unlikely]] {
    if (table_.count(place) >= table_.bar()) make_on_lane(row, place);
    return;
  }
  const CandidateId id = table_.link(place);
  Record& record = store_.record(id);
  if (record.hash != row.hash) [[unlikely]] {  // Another key with the same fingerprint.
    return table_.subtract(place, row.weight);
  }
  record.count = table_.count(place);
  settle(id, row);
}

void Counter::Impl::count_batch(std::span<const Access> accesses, const std::uint64_t* hashes,
                                double factor) {
  batch_.size = accesses.size();
  batch_.hashes = hashes;
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < accesses.size(); ++row) {
    table_.prefetch(hashes[row]);
    batch_.weights[row] = weight_of(accesses[row]);
    sum += batch_.weights[row];
  }
  add_total(newest_, sum, factor);

  table_.probe(batch_);
  touch_all(accesses, factor);
  if (orphans_ > 0) take_orphans(accesses, factor);
  admit_all(accesses, factor);
}

void Counter::Impl::touch_all(std::span<const Access> accesses, double factor) {
  // Where no sum in the window can overflow, which is nearly always.
  const bool roomy = total_ <= UINT32_MAX && factor == 1;
  for (std::size_t at = 0; at < batch_.touched_size; ++at) {
    if (roomy) at = touch_known(accesses, at);
    if (at == batch_.touched_size) return;
    const std::size_t row = batch_.touched_rows[at];
    touch({accesses[row], batch_.hashes[row], batch_.weights[row], factor}, batch_.touched_places[at]);
  }
}

// The usual case of `touch`, for touched rows from `at` on; returns the first that needs more.
std::size_t Counter::Impl::touch_known(std::span<const Access> accesses, std::size_t at) {
  const TableView table = table_.view();
  const std::span<Record> records = store_.records();
  for (; at < batch_.touched_size; ++at) {
    const Place place = batch_.touched_places[at];
    const Bucket& bucket = table.buckets[place.bucket];
    if ((bucket.fingerprints[kSpare] >> place.lane & 1U) == 0) [[unlikely]]
      return at;
    const CandidateId id = table.sides[place.bucket].link[place.lane];
    Record& record = records[id];
    const std::size_t row = batch_.touched_rows[at];
    if (record.hash != batch_.hashes[row]) [[unlikely]]
      return at;
    record.count = bucket.counts[place.lane];
    add_small_columns(record, accesses[row]);
    if (!reached(record)) [[likely]]
      continue;
    if (store_.key(id) == accesses[row].key) tell(id);
  }
  return at;
}

// Counts the missed rows of candidates and takes them off the list: the first of an orphan may bring it back
// to the table, and another key's row may drive it out again.
void Counter::Impl::take_orphans(std::span<const Access> accesses, double factor) {
  std::size_t left = 0;
  for (std::size_t at = 0; at < batch_.missed_size; ++at) {
    const std::uint8_t index = batch_.missed_rows[at];
    const Row row{accesses[index], batch_.hashes[index], batch_.weights[index], factor};
    const auto id = store_.find(row.hash);
    if (!id) {
      batch_.missed_rows[left++] = index;
    } else if (store_.upkeep(*id).has_lane) {
      const Place place = store_.upkeep(*id).place;
      table_.add(place, row.weight);
      touch(row, place);
    } else {
      count_orphan(*id, row);
    }
  }
  batch_.missed_size = left;
}

void Counter::Impl::admit_all(std::span<const Access> accesses, double factor) {
  for (std::size_t position = 0;;) {
    const AdmitStop stop = table_.admit(batch_, position);
    if (stop.why == AdmitStop::Why::end) return;
    position = stop.position + 1;
    const std::size_t index = batch_.missed_rows[stop.position];
    const Row row{accesses[index], batch_.hashes[index], batch_.weights[index], factor};
    const Place place = table_.place_of(row.hash, stop.lane);
    if (stop.why == AdmitStop::Why::held) {
      detach(place);
      table_.place(place, row.hash, row.weight, stop.priority);
    }
    touch(row, place);
  }
}

void Counter::Impl::count_spread(const Access& access, std::uint64_t hash, std::uint32_t spread,
                                 double factor) {
  shares_.clear();
  parts_.clear();
  std::uint32_t left = weight_of(access);
  for (std::uint32_t back = 1; back < spread; ++back) {
    shares_.push_back(share_of(access, spread, back + 1 == spread));
    parts_.push_back(std::min(left, weight_of(shares_.back())));
    left -= parts_.back();
    add_total(newest_ + options_.slots - back, parts_.back(), factor);
  }
  add_total(newest_, left, factor);

  const Row row{access, hash, weight_of(access), factor, shares_};
  const auto known = store_.find(hash);
  if (known && !store_.upkeep(*known).has_lane) return count_orphan(*known, row);
  const auto place = count_in_table(row);
  if (!place) return;
  table_.backdate(*place, newest_, parts_);
  if (known) store_.backdate_count(*known, newest_, parts_);
  touch(row, *place);
}

// Counts the row in the newest slot of its lane, without its candidate; nullopt where it got no lane.
std::optional<Place> Counter::Impl::count_in_table(const Row& row) {
  batch_.size = 1;
  batch_.hashes = &row.hash;
  batch_.weights[0] = row.weight;
  table_.probe(batch_);
  if (batch_.missed_size > 0) {
    const AdmitStop stop = table_.admit(batch_, 0);
    if (stop.why == AdmitStop::Why::held) {
      const Place place = table_.place_of(row.hash, stop.lane);
      detach(place);
      table_.place(place, row.hash, row.weight, stop.priority);
    }
  }
  return table_.find(row.hash);
}

void Counter::Impl::add_total(Slot slot, std::uint64_t count, double factor) {
  SlotTotal& total = total_of(slot);
  total.count = saturating_add(total.count, count);
  total_ = saturating_add(total_, count);
  total.factor = std::max(total.factor, factor);
}

void Counter::Impl::tell(CandidateId id) {
  for (int times = 0; times < kReachedMax && reached(store_.record(id)); ++times) {
    const Triggers next = listener_.reached(id);
    store_.record(id).triggers = next;
  }
}

}  // namespace hotkeyd
