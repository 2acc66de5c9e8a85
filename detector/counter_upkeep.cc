#include <algorithm>
#include <cmath>

#include "detector/counter_impl.h"

namespace hotkeyd {

void Counter::Impl::advance(Slot newest) {
  if (newest <= newest_) return;
  // After a whole empty window there is nothing left to age.
  while (newest_ < newest && total_ > 0) rotate();
  newest_ = newest;
}

void Counter::Impl::rotate() {
  const Slot ended = newest_++;
  table_.rotate(ended);
  constexpr std::size_t kAhead = 8;
  const std::vector<CandidateId>& living = store_.living();
  for (std::size_t at = 0; at < living.size(); ++at) {
    if (at + kAhead < living.size()) store_.prefetch_rotation(living[at + kAhead], ended);
    const Upkeep& upkeep = store_.upkeep(living[at]);
    const auto lane_count = upkeep.has_lane ? std::optional{table_.count(upkeep.place)} : std::nullopt;
    store_.rotate(living[at], ended, lane_count);
  }
  SlotTotal& leaving = total_of(newest_);
  total_ -= std::min(total_, leaving.count);
  leaving = {};
}

void Counter::Impl::tick(Slot slot) {
  if (slot == 0) return;
  advance(slot - 1);
  if (slot <= ticked_) return;
  ticked_ = slot;
  forget_cold();
  update_bar();
  stats_.tracked = total_ == 0 ? 0 : table_.tracked();
}

void Counter::Impl::forget_cold() {
  counts_.clear();
  for (const CandidateId id : store_.living()) counts_.push_back(store_.record(id).count);
  const std::uint32_t far_below = bar_.refresh(counts_);
  for (std::size_t at = store_.living().size(); at-- > 0;) {  // Forgetting moves the last one up.
    const CandidateId id = store_.living()[at];
    const std::uint32_t count = store_.record(id).count;
    if ((count == 0 || count < far_below) && !store_.upkeep(id).kept) forget(id);
  }
}

std::uint32_t Counter::Impl::count(std::uint64_t hash) const {
  if (const auto id = store_.find(hash)) return store_.record(*id).count;
  const auto place = table_.find(hash);
  return place && !table_.marked(*place) ? table_.count(*place) : 0;
}

// As a record would have it that was made now; without one all accesses are taken for reads.
WindowSums Counter::Impl::sums_without_record(std::uint64_t hash) const {
  WindowSums sums;
  sums.count = sums.reads = count(hash);
  const auto place = table_.find(hash);
  if (!place || table_.marked(*place)) return sums;
  std::uint64_t newest = sums.count;
  double variance = 0;
  const auto add_slot = [&](std::uint64_t part, std::uint32_t back) {
    if (part == 0) return;
    sums.factor_max = std::max(sums.factor_max, factor_of(back));
    variance += (factor_of(back) - 1) * static_cast<double>(part);
  };
  for (std::uint32_t back = 1; back < options_.slots; ++back) {
    const std::uint64_t part = table_.past(*place, newest_, back);
    newest -= std::min(newest, part);
    add_slot(part, back);
  }
  add_slot(newest, 0);
  sums.sampling_error = 2 * std::sqrt(variance);
  if (table_.age(*place) < options_.slots) sums.missed_max = table_.missed_max(*place);
  return sums;
}

std::optional<CandidateId> Counter::Impl::find(std::uint64_t hash, std::string_view key) const {
  const auto id = store_.find(hash);
  if (!id || store_.key(*id) != key) return std::nullopt;
  return id;
}

std::vector<CandidateId> Counter::Impl::top(std::size_t n) const {
  std::vector<CandidateId> ids;
  for (const CandidateId id : store_.living()) {
    if (store_.record(id).count > 0) ids.push_back(id);
  }
  const auto hotter = [&](CandidateId a, CandidateId b) {
    const std::uint32_t count_a = store_.record(a).count;
    const std::uint32_t count_b = store_.record(b).count;
    return count_a != count_b ? count_a > count_b : store_.key(a) < store_.key(b);
  };
  const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min({n, options_.top_k, ids.size()}));
  std::partial_sort(ids.begin(), end, ids.end(), hotter);
  ids.erase(end, ids.end());
  return ids;
}

CounterStats Counter::Impl::stats() const {
  CounterStats stats = stats_;
  stats.candidates = store_.living().size();
  stats.names_bytes = store_.names_bytes();
  return stats;
}

std::size_t Counter::Impl::memory_bytes() const { return table_.memory_bytes() + store_.memory_bytes(); }

}  // namespace hotkeyd
