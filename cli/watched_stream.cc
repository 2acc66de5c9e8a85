#include "cli/watched_stream.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/event_line.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kFirstKeysShown = 20;

std::vector<const KeyData*> by_falling_rate(const std::map<std::string, KeyData>& keys) {
  std::vector<const KeyData*> sorted;
  sorted.reserve(keys.size());
  for (const auto& [key, data] : keys) sorted.push_back(&data);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->rate > b->rate; });
  return sorted;
}

std::string_view short_name(EventType type) { return to_string(type).substr(sizeof "hotkey." - 1); }

}  // namespace

void WatchedStream::reconnected() { awaits_snapshot_ = false; }

bool WatchedStream::follows(const Event& event) const {
  return event.stream.epoch == epoch_ && event.seq == seq_ + 1;
}

void WatchedStream::note_gap(Outcome& outcome) {
  outcome.has_gap = !awaits_snapshot_;
  awaits_snapshot_ = true;
}

WatchedStream::Outcome WatchedStream::apply(const Event& event, UnixMs now) {
  Outcome outcome;
  if (event.type == EventType::snapshot) {
    apply_snapshot(event, now, outcome);
  } else if (event.type == EventType::heartbeat) {
    const bool agrees = event.stream.epoch == epoch_ && event.seq == seq_ && event.hot_keys == hot_.size();
    if (!agrees) note_gap(outcome);
  } else if (event.type == EventType::invalidated && is_other_node(event)) {
    outcome.lines.push_back(invalidated_line(event.key, now));
  } else {
    if (!follows(event)) note_gap(outcome);
    epoch_ = event.stream.epoch;
    seq_ = event.seq;
    apply_to_key(event, now, outcome);
  }
  return outcome;
}

void WatchedStream::apply_to_key(const Event& event, UnixMs now, Outcome& outcome) {
  if (event.type == EventType::invalidated) return outcome.lines.push_back(invalidated_line(event.key, now));
  if (!event.data) return outcome.lines.push_back(plain_line(short_name(event.type), "", now));
  if (event.type == EventType::demoted) {
    hot_.erase(event.key);
  } else {
    hot_[event.key] = *event.data;
  }
  outcome.lines.push_back(key_line(short_name(event.type), *event.data, now));
}

void WatchedStream::apply_snapshot(const Event& event, UnixMs now, Outcome& outcome) {
  if (event.part == 1) {
    arriving_.clear();
    parts_seen_ = 0;
  }
  if (event.part != ++parts_seen_) return note_gap(outcome);
  for (const KeyData& data : event.keys) arriving_[data.key] = data;
  if (event.part < event.parts) return;
  node_ = event.stream.node;
  epoch_ = event.stream.epoch;
  seq_ = event.seq;
  awaits_snapshot_ = false;
  replace_hot_set(now, outcome);
}

void WatchedStream::replace_hot_set(UnixMs now, Outcome& outcome) {
  const auto before = std::exchange(hot_, std::exchange(arriving_, {}));
  if (!std::exchange(has_snapshot_, true)) return tell_first_snapshot(now, outcome);
  outcome.lines.push_back(plain_line("snapshot", with_separators(hot_.size()) + " hot", now));
  for (const auto& [key, data] : before) {
    if (!hot_.contains(key)) outcome.lines.push_back(key_line("was demoted", data, now));
  }
  for (const KeyData* data : by_falling_rate(hot_)) {
    if (!before.contains(data->key)) outcome.lines.push_back(key_line("is hot", *data, now));
  }
}

void WatchedStream::tell_first_snapshot(UnixMs now, Outcome& outcome) const {
  outcome.lines.push_back(plain_line("snapshot", with_separators(hot_.size()) + " hot", now));
  const auto sorted = by_falling_rate(hot_);
  const std::size_t shown = std::min(sorted.size(), kFirstKeysShown);
  for (std::size_t i = 0; i < shown; ++i) outcome.lines.push_back(key_line("is hot", *sorted[i], now));
  if (shown < sorted.size()) {
    outcome.lines.push_back(plain_line("", "and " + with_separators(sorted.size() - shown) + " more", now));
  }
}

}  // namespace hotkeyd
