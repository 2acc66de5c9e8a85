#include "publisher/publish_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hotkeyd {
namespace {

constexpr std::size_t kItemOverhead = 128;

std::size_t bytes_of_event(const PublishedEvent& event) {
  return kItemOverhead + event.key.size() + event.key_data.size() + (event.bytes ? event.bytes->size() : 0);
}

std::size_t bytes_of_snapshot(const PublishedSnapshot& snapshot) {
  std::size_t bytes = kItemOverhead;
  for (const auto& entry : snapshot.entries)
    bytes += kItemOverhead + entry.key.size() + entry.key_data.size();
  for (const auto& part : snapshot.parts) bytes += part->size();
  return bytes;
}

const std::string& ns_of(const PublishItem& item) {
  return std::visit([](const auto& of_any_kind) -> const std::string& { return of_any_kind.ns; }, item);
}

bool is_healable(const PublishItem& item) {
  if (const auto* event = std::get_if<PublishedEvent>(&item)) return is_healed_by_snapshot(event->type);
  return std::holds_alternative<PublishedSnapshot>(item);
}

}  // namespace

bool is_healed_by_snapshot(EventType type) { return type != EventType::invalidated; }

std::size_t bytes_of(const PublishItem& item) {
  if (const auto* event = std::get_if<PublishedEvent>(&item)) return bytes_of_event(*event);
  if (const auto* snapshot = std::get_if<PublishedSnapshot>(&item)) return bytes_of_snapshot(*snapshot);
  return kItemOverhead;
}

void PublishQueue::push(PublishItem item) {
  const std::lock_guard lock(mutex_);
  if (auto* event = std::get_if<PublishedEvent>(&item)) return push_event(std::move(*event));
  if (auto* snapshot = std::get_if<PublishedSnapshot>(&item)) return push_snapshot(std::move(*snapshot));
  append(std::move(item));
}

void PublishQueue::push_event(PublishedEvent event) {
  Backlog& backlog = streams_[event.ns];
  const bool heals = is_healed_by_snapshot(event.type);
  if (heals && backlog.has_gap) {
    ++dropped_events_;
    return;
  }
  make_room();
  if (!is_full() && !(heals && backlog.has_gap)) return append(std::move(event));
  ++dropped_events_;
  if (heals) open_gap(event.ns, backlog);
}

void PublishQueue::push_snapshot(PublishedSnapshot snapshot) {
  Backlog& backlog = streams_[snapshot.ns];
  make_room();
  if (is_full()) return open_gap(snapshot.ns, backlog);
  backlog.has_gap = false;
  append(std::move(snapshot));
}

void PublishQueue::make_room() {
  const auto has_less = [](const auto& a, const auto& b) { return a.second.healable < b.second.healable; };
  while (is_full() && !streams_.empty()) {
    const auto largest = std::max_element(streams_.begin(), streams_.end(), has_less);
    if (largest->second.healable == 0) return;
    drop_stream(largest->first, largest->second);
  }
}

void PublishQueue::drop_stream(const std::string& ns, Backlog& backlog) {
  const auto goes = [&](const PublishItem& item) { return is_healable(item) && ns_of(item) == ns; };
  for (const PublishItem& item : items_) {
    if (!goes(item)) continue;
    bytes_ -= bytes_of(item);
    if (std::holds_alternative<PublishedEvent>(item)) ++dropped_events_;
  }
  std::erase_if(items_, goes);
  backlog.healable = 0;
  open_gap(ns, backlog);
}

// One gap in the queue is enough for a stream: the publisher asks again whatever lies behind it.
void PublishQueue::open_gap(const std::string& ns, Backlog& backlog) {
  backlog.has_gap = true;
  const auto is_its_gap = [&](const PublishItem& item) {
    return std::holds_alternative<StreamGap>(item) && ns_of(item) == ns;
  };
  if (std::none_of(items_.begin(), items_.end(), is_its_gap)) append(StreamGap{ns});
}

void PublishQueue::append(PublishItem item) {
  bytes_ += bytes_of(item);
  if (is_healable(item)) ++streams_[ns_of(item)].healable;
  items_.push_back(std::move(item));
}

std::vector<PublishItem> PublishQueue::take(std::size_t items_max) {
  const std::lock_guard lock(mutex_);
  const auto end = items_.begin() + static_cast<std::ptrdiff_t>(std::min(items_max, items_.size()));
  std::vector<PublishItem> taken(std::make_move_iterator(items_.begin()), std::make_move_iterator(end));
  items_.erase(items_.begin(), end);
  for (const PublishItem& item : taken) {
    bytes_ -= bytes_of(item);
    if (is_healable(item)) --streams_[ns_of(item)].healable;
  }
  return taken;
}

std::size_t PublishQueue::size() const {
  const std::lock_guard lock(mutex_);
  return items_.size();
}

std::size_t PublishQueue::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::uint64_t PublishQueue::dropped_events() const {
  const std::lock_guard lock(mutex_);
  return dropped_events_;
}

}  // namespace hotkeyd
