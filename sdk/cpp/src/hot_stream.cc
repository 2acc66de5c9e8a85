#include "sdk/cpp/src/hot_stream.h"

#include <algorithm>
#include <utility>

namespace hotkeyd::sdk {
namespace {

bool is_about_key(EventType type) {
  return type == EventType::promoted || type == EventType::updated || type == EventType::demoted;
}

constexpr std::int64_t kLeaseDefaultMs = 10'000;  // Until an event has told it.
constexpr std::int64_t kLeaseMaxMs = 3'600'000;

}  // namespace

HotStream::Outcome HotStream::apply(const Event& event, Time now) {
  const bool is_snapshot = event.type == EventType::snapshot;
  const bool is_first = !is_known_;
  if (event.type == EventType::invalidated && event.stream.node != node_) return {.is_news = true};
  Outcome outcome;
  if (is_first || opens(event)) {
    if (!entries_.empty()) outcome.change = Change::everything;
    start(event);
    if (!is_snapshot && !(is_first && event.seq == 1)) note_gap(event.seq, outcome);
  }
  if (event.stream.node != node_ || event.stream.epoch != epoch_) return {};
  extend_lease(event, now);
  if (is_snapshot) return apply_part(event, outcome);
  if (event.type == EventType::heartbeat) return apply_heartbeat(event, outcome);
  return apply_event(event, outcome);
}

// A larger epoch starts the stream anew. So does the snapshot of a new subscription when it is of another
// node, or of a daemon that forgot its epoch.
bool HotStream::opens(const Event& event) const {
  if (event.type == EventType::snapshot && is_opening_) {
    return event.stream.node != node_ || event.stream.epoch != epoch_;
  }
  return event.stream.node == node_ && event.stream.epoch > epoch_;
}

void HotStream::forget() {
  is_known_ = false;
  lease_end_.reset();
  missing_.reset();
  reading_.reset();
  entries_.clear();
  demoted_.clear();
  complete_ = last_ = 0;
  lease_ms_ = kLeaseDefaultMs;
  wants_request_ = is_truncated_ = false;
}

void HotStream::start(const Event& event) {
  forget();
  is_known_ = true;
  is_missed_ = true;
  node_ = event.stream.node;
  epoch_ = event.stream.epoch;
}

bool HotStream::expire(Time now) {
  if (!lease_end_ || now < *lease_end_) return false;
  forget();
  return true;
}

void HotStream::extend_lease(const Event& event, Time now) {
  if (event.lease_ms > 0) lease_ms_ = std::min(event.lease_ms, kLeaseMaxMs);
  lease_end_ = now + std::chrono::milliseconds(lease_ms_);
}

bool HotStream::take_request() { return std::exchange(wants_request_, false); }

bool HotStream::take_missed() { return std::exchange(is_missed_, false); }

void HotStream::note_gap(std::uint64_t upto, Outcome& outcome) {
  outcome.is_gap |= !missing_;
  missing_ = std::max(missing_.value_or(0), upto);
  wants_request_ = true;
}

void HotStream::note_seq(std::uint64_t seq, Outcome& outcome) {
  if (seq <= last_) return;
  if (seq != last_ + 1) {
    is_missed_ = true;
    note_gap(seq - 1, outcome);
  } else if (missing_) {
    wants_request_ = true;
  }
  last_ = seq;
  if (!missing_) complete_ = seq;
}

HotStream::Outcome HotStream::apply_event(const Event& event, Outcome outcome) {
  if (event.type == EventType::invalidated) outcome.is_news = true;
  if (event.seq <= complete_) return outcome;
  note_seq(event.seq, outcome);
  outcome.is_news = true;
  return is_about_key(event.type) ? apply_key(event, outcome) : outcome;
}

HotStream::Outcome HotStream::apply_key(const Event& event, Outcome outcome) {
  const std::uint64_t hash = hash_(event.key);
  const auto entry = entries_.find(hash);
  const auto demoted = demoted_.find(hash);
  const bool is_old = (entry != entries_.end() && entry->second.seq >= event.seq) ||
                      (demoted != demoted_.end() && demoted->second >= event.seq);
  outcome.is_news = !is_old;
  if (is_old) return outcome;
  const bool was_hot = entry != entries_.end();
  if (event.type == EventType::demoted) {
    if (missing_ || reading_) demoted_[hash] = event.seq;
    entries_.erase(hash);
    if (was_hot && outcome.change == Change::none) outcome.change = Change::removed;
  } else if (was_hot || entries_.size() < kKeysMax) {
    entries_[hash] = {event.seq, event.data ? event.data->actions.near_cache : std::nullopt};
    if (!was_hot && outcome.change == Change::none) outcome.change = Change::added;
  } else {
    is_truncated_ = true;
  }
  outcome.hash = outcome.change == Change::added || outcome.change == Change::removed ? hash : 0;
  return outcome;
}

HotStream::Outcome HotStream::apply_heartbeat(const Event& event, Outcome outcome) {
  const bool is_count_known = !reading_ && !is_truncated_;
  const bool is_equal = event.seq == last_ && (!is_count_known || event.hot_keys == entries_.size());
  is_missed_ |= event.seq > last_;
  if (missing_ || !is_equal) note_gap(event.seq, outcome);
  last_ = std::max(last_, event.seq);
  return outcome;
}

// What follows the first part is newer than the snapshot.
HotStream::Outcome HotStream::apply_part(const Event& event, Outcome outcome) {
  if (event.part == 1) {
    if (event.seq < complete_) return outcome;
    is_missed_ |= is_opening_ || event.seq > last_;
    reading_ = Parts{.seq = event.seq, .parts = event.parts, .next = 1, .entries = {}};
    last_ = std::max(last_, event.seq);
  }
  if (!reading_ || reading_->seq != event.seq || reading_->parts != event.parts ||
      reading_->next != event.part) {
    reading_.reset();
    is_missed_ = true;
    note_gap(std::max(event.seq, last_), outcome);
    return outcome;
  }
  outcome.is_news = true;
  for (const KeyData& data : event.keys) {
    if (reading_->entries.size() < kKeysMax)
      reading_->entries[hash_(data.key)] = {data.seq, data.actions.near_cache};
  }
  if (reading_->next++ < reading_->parts) return outcome;
  apply_snapshot(event.seq);
  outcome.change = Change::everything;
  return outcome;
}

void HotStream::apply_snapshot(std::uint64_t seq) {
  Entries fresh = std::exchange(reading_, std::nullopt)->entries;
  for (const auto& [hash, version] : demoted_) {
    if (version > seq) fresh.erase(hash);
  }
  for (const auto& [hash, entry] : entries_) {
    if (entry.seq > seq && fresh.size() < kKeysMax) fresh[hash] = entry;
  }
  entries_ = std::move(fresh);
  is_truncated_ = entries_.size() == kKeysMax;
  is_opening_ = false;
  if (missing_ && seq < *missing_) return;
  missing_.reset();
  wants_request_ = false;
  demoted_.clear();
  last_ = std::max(last_, seq);
  complete_ = last_;
}

std::vector<std::uint64_t> HotStream::hashes() const {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(entries_.size());
  for (const auto& entry : entries_) hashes.push_back(entry.first);
  return hashes;
}

std::optional<EventNearCache> HotStream::near_cache(std::uint64_t hash) const {
  const auto entry = entries_.find(hash);
  return entry == entries_.end() ? std::nullopt : entry->second.near_cache;
}

HotStream::NearCaches HotStream::near_caches() const {
  NearCaches allowed;
  for (const auto& [hash, entry] : entries_) {
    if (entry.near_cache) allowed.emplace(hash, *entry.near_cache);
  }
  return allowed;
}

}  // namespace hotkeyd::sdk
