#include <algorithm>

#include "detector/counter_impl.h"
#include "detector/window_lane.h"

namespace hotkeyd {

void Counter::Impl::make_on_lane(const Row& row, Place place) {
  if (const auto orphan = store_.find(row.hash)) {  // Another key with its fingerprint has taken the lane.
    table_.subtract(place, row.weight);
    return count_orphan(*orphan, row);
  }
  const auto id = make(row.hash, row.access.key, table_.count(place), false);
  if (!id) return;
  link(*id, place);
  const Triggers triggers = listener_.appeared(*id, store_.key(*id));
  store_.record(*id).triggers = triggers;
  settle(*id, row);
}

std::optional<CandidateId> Counter::Impl::ensure(std::uint64_t hash, std::string_view key) {
  if (const auto known = store_.find(hash)) return find(hash, key);
  const auto id = make(hash, key, UINT32_MAX, true);
  if (!id) return std::nullopt;
  const auto place = table_.find(hash);
  if (place && !table_.marked(*place)) {
    link(*id, *place);
  } else {
    ++orphans_;
    store_.upkeep(*id).missed_max = table_.missed_without_lane(hash);
    store_.upkeep(*id).missed_until = newest_ + options_.slots;
  }
  const Triggers triggers = listener_.appeared(*id, store_.key(*id));
  store_.record(*id).triggers = triggers;
  tell(*id);
  return id;
}

void Counter::Impl::keep(CandidateId id, bool kept) {
  store_.upkeep(id).kept = kept;
  if (!kept) coolest_.wake();
}

// A record for the key, where there is room or something cooler than `count` makes room.
std::optional<CandidateId> Counter::Impl::make(std::uint64_t hash, std::string_view key, std::uint32_t count,
                                               bool forced) {
  const bool lukewarm = bar_.is_lukewarm(count);
  if (lukewarm) {
    bar_.take();
    update_bar();
  }
  if (!make_room(key.size(), forced ? UINT32_MAX : count, !lukewarm)) {
    stats_.refused += lukewarm ? 0 : 1;
    return std::nullopt;
  }
  coolest_.wake();
  return store_.make(hash, key);
}

// `for_name`: whether others may be forgotten only because the key's bytes do not fit.
bool Counter::Impl::make_room(std::size_t key_bytes, std::uint32_t count_max, bool for_name) {
  if (key_bytes > options_.names_max) return false;
  while (store_.full() || !store_.name_fits(key_bytes)) {
    const auto cool = coolest_.front();
    if (!cool || store_.record(*cool).count > count_max) return false;
    if (!store_.full() && !for_name) return false;
    ++(store_.full() ? stats_.candidates_evicted : stats_.names_evicted);
    forget(*cool);
  }
  return true;
}

// The new candidate takes over what its lane knows.
void Counter::Impl::link(CandidateId id, Place place) {
  Record& record = store_.record(id);
  Upkeep& upkeep = store_.upkeep(id);
  upkeep.has_lane = true;
  upkeep.place = place;
  upkeep.missed_max = table_.missed_max(place);
  upkeep.missed_until = newest_ + options_.slots - table_.age(place);
  for (std::uint32_t back = 1; back < options_.slots; ++back) {
    SlotFigures& past = store_.past(id, newest_, back);
    past.count = table_.past(place, newest_, back);
    past.factor = static_cast<float>(total_of(newest_ + options_.slots - back).factor);
    upkeep.base = saturating_add(upkeep.base, past.count);
  }
  record.count = table_.count(place);
  table_.mark(place, id);
}

// The lane goes to another key.
void Counter::Impl::detach(Place place) {
  const CandidateId id = table_.link(place);
  if (store_.upkeep(id).kept) return orphan(id);
  forget(id);
}

void Counter::Impl::orphan(CandidateId id) {
  Upkeep& upkeep = store_.upkeep(id);
  table_.unmark(upkeep.place, upkeep.missed_max);
  upkeep.has_lane = false;
  ++orphans_;
}

void Counter::Impl::count_orphan(CandidateId id, const Row& row) {
  Record& record = store_.record(id);
  record.count = saturating_add(record.count, row.weight);
  if (!row.shares.empty()) store_.backdate_count(id, newest_, parts_);
  adopt(id);
  settle(id, row);
}

// Gives the orphan a lane again, by the rule of admission and with its whole count.
void Counter::Impl::adopt(CandidateId id) {
  const Record& record = store_.record(id);
  const auto place = table_.offer(record.hash, record.count);
  if (!place) return;
  table_.place(*place, record.hash, record.count, 0);
  parts_.clear();
  for (std::uint32_t back = 1; back < options_.slots; ++back) {
    parts_.push_back(store_.past(id, newest_, back).count);
  }
  table_.restore(*place, newest_, record.count, parts_);
  table_.mark(*place, id);
  store_.upkeep(id).place = *place;
  store_.upkeep(id).has_lane = true;
  --orphans_;
}

void Counter::Impl::forget(CandidateId id) {
  listener_.forgotten(id);
  const Upkeep& upkeep = store_.upkeep(id);
  if (upkeep.has_lane) {
    table_.unmark(upkeep.place, upkeep.missed_max);
  } else {
    --orphans_;
  }
  store_.drop(id);
}

}  // namespace hotkeyd
