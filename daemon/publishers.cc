#include "daemon/publishers.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/match_kept.h"

namespace hotkeyd {
namespace {

struct Wanted {
  PublisherOptions options;
  Duration lease;
  bool operator==(const Wanted&) const = default;
};

}  // namespace

void add_counters(PublisherStats& stats, const PublisherStats& other) {
  stats.events += other.events;
  for (const auto& [reason, count] : other.failed_events) stats.failed_events[reason] += count;
  stats.queue_events += other.queue_events;
  stats.queue_bytes += other.queue_bytes;
}

Publishers::Change Publishers::prepare(const std::vector<PublisherOptions>& wanted, Duration lease) {
  std::vector<Wanted> before;
  std::vector<Wanted> after;
  before.reserve(sinks_.size());
  after.reserve(wanted.size());
  for (const Sink& sink : sinks_) before.push_back({sink.options, sink.lease});
  for (const PublisherOptions& options : wanted) after.push_back({options, lease});
  const auto kept = match_kept(before, after, std::equal_to<>());
  Change change;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Change::Place place{kept[i], {}};
    if (!kept[i]) {
      const std::uint64_t id = ++last_id_;
      place.made = Sink{id, wanted[i], lease, make_(id, wanted[i], lease)};
    }
    const Sink& sink = kept[i] ? sinks_[*kept[i]] : place.made;
    change.routes.push_back({sink.id, sink.publisher.get()});
    change.places.push_back(std::move(place));
  }
  return change;
}

void Publishers::commit(Change change, Duration patience) {
  for (Sink& gone : exchange(std::move(change))) retire(std::move(gone), patience);
  start_unhindered();
}

// Puts the change in force; returns those that have no place any more.
std::vector<Publishers::Sink> Publishers::exchange(Change change) {
  const std::lock_guard lock(mutex_);
  std::vector<Sink> before = std::exchange(sinks_, {});
  for (Change::Place& place : change.places) {
    sinks_.push_back(std::move(place.kept ? before[*place.kept] : place.made));
  }
  std::erase_if(before, [](const Sink& sink) { return !sink.publisher; });
  return before;
}

bool Publishers::is_name_taken(const std::string& name) const {
  return std::any_of(retiring_.begin(), retiring_.end(),
                     [&](const Sink& sink) { return sink.options.name == name; });
}

void Publishers::start_unhindered() {
  for (Sink& sink : sinks_) {
    const bool waits = !stopped_ && is_name_taken(sink.options.name);
    if (waits || std::exchange(sink.is_started, true)) continue;
    sink.publisher->start();
  }
}

// One that still waited for its predecessor has events too: it sends them now.
void Publishers::retire(Sink gone, Duration patience) {
  Publisher& publisher = *gone.publisher;
  if (!std::exchange(gone.is_started, true)) publisher.start();
  publisher.stop(patience, [this, id = gone.id](bool drained) {
    asio::post(control_, [this, id, drained] { on_stopped(id, drained); });
  });
  const std::lock_guard lock(mutex_);
  retiring_.push_back(std::move(gone));
}

void Publishers::stop(Duration deadline, std::function<void(bool)> stopped) {
  stopped_ = std::move(stopped);
  std::vector<Sink> all = exchange({});
  if (all.empty() && retiring_.empty()) return std::exchange(stopped_, {})(true);
  for (Sink& sink : all) retire(std::move(sink), deadline);
}

void Publishers::on_stopped(std::uint64_t id, bool drained) {
  const auto gone =
      std::find_if(retiring_.begin(), retiring_.end(), [&](const Sink& sink) { return sink.id == id; });
  if (!drained) {
    log_warning("publisher_not_drained",
                {{"sink", gone->options.name}, {"cause", "its server did not take everything in time"}});
  }
  if (stopped_) drained_ &= drained;
  carry(*gone);
  {
    const std::lock_guard lock(mutex_);
    retiring_.erase(gone);
    forget_unused();
  }
  start_unhindered();
  if (stopped_ && retiring_.empty()) std::exchange(stopped_, {})(drained_);
}

std::string Publishers::unfinished() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const Sink& sink : retiring_) {
    text += ' ' + sink.options.name + " (" + std::to_string(sink.publisher->stats().queue_events) +
            " events wait)";
  }
  return text;
}

void Publishers::carry(const Sink& gone) {
  PublisherStats counted = gone.publisher->stats();
  counted.queue_events = 0;
  counted.queue_bytes = 0;
  const std::lock_guard lock(mutex_);
  add_counters(carried_[gone.options.name], counted);
}

// Counters of a name that is configured no longer end with it.
void Publishers::forget_unused() {
  std::erase_if(carried_, [this](const auto& entry) {
    const auto has_name = [&](const Sink& sink) { return sink.options.name == entry.first; };
    return std::none_of(sinks_.begin(), sinks_.end(), has_name) && !is_name_taken(entry.first);
  });
}

PublisherStats Publishers::stats_of(const Sink& sink) const {
  PublisherStats stats = sink.publisher->stats();
  const auto carried = carried_.find(sink.options.name);
  if (carried != carried_.end()) add_counters(stats, carried->second);
  return stats;
}

std::vector<PublisherStats> Publishers::stats() const {
  const std::lock_guard lock(mutex_);
  std::vector<PublisherStats> all;
  for (const Sink& sink : sinks_) all.push_back(stats_of(sink));
  for (const Sink& sink : retiring_) {
    const auto same = std::find_if(
        all.begin(), all.end(), [&](const PublisherStats& stats) { return stats.sink == sink.options.name; });
    if (same == all.end()) {
      all.push_back(stats_of(sink));
    } else {
      add_counters(*same, sink.publisher->stats());
    }
  }
  return all;
}

}  // namespace hotkeyd
