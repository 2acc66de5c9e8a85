#include "detector/window.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "detector/namespace.h"

namespace hotkeyd {
namespace {

constexpr Slot kSlotsOfJump = 2;

}  // namespace

Window::Window(Duration length, std::uint32_t slots, Time start, Time now, const CounterOptions& options,
               Namespace& owner)
    : length_(length),
      slots_(slots),
      slot_length_(std::max(Duration{1}, length / slots)),
      start_(start),
      owner_(owner),
      slot_(slot_at(now)),
      seen_from_(first_whole(now)),
      last_observed_(slot_),
      lost_(slots + 1),
      counter_(options, *this) {
  states_.reserve(options.candidates_max);
}

Slot Window::slot_at(Time now) const {
  return now <= start_ ? 0 : static_cast<Slot>((now - start_) / slot_length_);
}

Slot Window::first_whole(Time now) const {
  const Slot slot = slot_at(now);
  return start_ + slot_length_ * slot >= now ? slot : slot + 1;
}

Time Window::next_edge(Time now) const { return start_ + slot_length_ * (slot_at(now) + 1); }

bool Window::advance(Time now) {
  const Slot entered = slot_at(now);
  if (entered <= slot_) return false;
  if (entered - slot_ > kSlotsOfJump) seen_from_ = first_whole(now);
  clear_lost(entered);
  slot_ = entered;
  // Two windows after the last access everything is zero and forgotten: an idle namespace costs nothing.
  if (slot_ - last_observed_ <= 2 * slots_) counter_.tick(slot_);
  last_total_ = counter_.total(slot_);
  return true;
}

void Window::clear_lost(Slot entered) {
  const Slot ended = std::min<Slot>(entered - slot_, lost_.size());
  for (Slot i = 0; i < ended; ++i) lost_[(entered - i) % lost_.size()] = 0;
}

std::uint32_t Window::spread(Duration age) const {
  if (age <= 2 * slot_length_) return 1;
  return static_cast<std::uint32_t>((age + slot_length_ - Duration{1}) / slot_length_);
}

void Window::observe(std::span<const Access> accesses, std::span<const std::uint64_t> hashes, Duration age,
                     double factor) {
  last_observed_ = slot_;
  const std::uint32_t parts = spread(age);
  if (parts <= slots_) return counter_.observe(accesses, hashes, slot_, parts, factor);
  const std::vector<Access> recent = within_window(accesses, parts);
  counter_.observe(recent, hashes, slot_, slots_, factor);
}

// Of a batch that is older than this window (a rule's may be shorter than the base window): the newest slots'
// part.
std::vector<Access> Window::within_window(std::span<const Access> accesses, std::uint32_t parts) const {
  std::vector<Access> recent(accesses.begin(), accesses.end());
  for (Access& access : recent) {
    for (std::uint64_t* column :
         {&access.reads, &access.writes, &access.misses, &access.local_hits, &access.bytes}) {
      *column = *column / parts * slots_;
    }
  }
  return recent;
}

// Saturating like every count of a window, so that no claim of a producer makes the sum wrap.
void Window::add_lost(std::uint64_t accesses) {
  std::uint64_t& lost = lost_[slot_ % lost_.size()];
  lost = std::min<std::uint64_t>(lost + std::min<std::uint64_t>(accesses, UINT32_MAX), UINT32_MAX);
}

WindowView Window::view_of(const WindowSums& sums) {
  return {sums, scale(), start_ + slot_length_ * slot_, has_seen_whole_window()};
}

WindowView Window::view(CandidateId id) { return view_of(counter_.sums(id, slot_)); }

WindowView Window::view_without_record(std::uint64_t hash) {
  return view_of(counter_.sums_without_record(hash, slot_));
}

WindowScale Window::scale() {
  return {length_, counter_.total(slot_), std::accumulate(lost_.begin(), lost_.end(), std::uint64_t{0})};
}

CandidateState& Window::state(CandidateId id) {
  if (id >= states_.size()) states_.resize(id + 1);
  return states_[id];
}

void Window::watch(CandidateId id) {
  CandidateState& watched = state(id);
  if (watched.watched != CandidateState::kNotWatched) return;
  watched.watched = static_cast<std::uint32_t>(watched_.size());
  watched_.push_back(id);
}

void Window::unwatch(CandidateId id) {
  const std::uint32_t place = std::exchange(state(id).watched, CandidateState::kNotWatched);
  if (place == CandidateState::kNotWatched) return;
  watched_[place] = watched_.back();
  if (watched_[place] != id) state(watched_[place]).watched = place;
  watched_.pop_back();
}

Triggers Window::appeared(CandidateId id, std::string_view key) { return owner_.appeared(*this, id, key); }

Triggers Window::reached(CandidateId id) { return owner_.reached(*this, id); }

void Window::forgotten(CandidateId id) {
  unwatch(id);
  if (HotRecord* hot = state(id).hot) owner_.forgotten(*hot);
  state(id) = {};
}

}  // namespace hotkeyd
