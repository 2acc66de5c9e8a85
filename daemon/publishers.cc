#include "daemon/publishers.h"

#include <utility>

namespace hotkeyd {

void Publishers::add(std::unique_ptr<Publisher> publisher) { sinks_.push_back({std::move(publisher), {}}); }

void Publishers::start() {
  for (Sink& sink : sinks_) sink.publisher->start();
}

void Publishers::stop(Duration deadline, std::function<void(bool)> stopped) {
  if (sinks_.empty()) return stopped(true);
  struct Progress {
    std::size_t waiting;
    bool drained = true;
    std::function<void(bool)> stopped;
  };
  // Shared by the callbacks of all publishers, the last of which ends it.
  auto progress = std::make_shared<Progress>(Progress{sinks_.size(), true, std::move(stopped)});
  for (Sink& sink : sinks_) {
    sink.publisher->stop(deadline, [progress](bool drained) {
      progress->drained &= drained;
      if (--progress->waiting == 0) progress->stopped(progress->drained);
    });
  }
}

std::vector<PublisherStats> Publishers::stats() const {
  std::vector<PublisherStats> all;
  for (const Sink& sink : sinks_) all.push_back(sink.publisher->stats());
  return all;
}

void Publishers::namespace_opened(const std::string& ns) {
  for (Sink& sink : sinks_) sink.publisher->push(NamespaceOpened{ns});
}

void Publishers::told(const PublishedEvent& event) {
  for (Sink& sink : sinks_) {
    const auto snapshot = sink.snapshot_seq.find(event.ns);
    const bool is_in_snapshot = snapshot != sink.snapshot_seq.end() && event.seq <= snapshot->second;
    if (is_in_snapshot && event.type != EventType::invalidated) continue;
    sink.publisher->push(event);
  }
}

void Publishers::send_snapshot(std::size_t publisher, PublishedSnapshot snapshot) {
  Sink& sink = sinks_.at(publisher);
  sink.snapshot_seq[snapshot.ns] = snapshot.seq;
  sink.publisher->push(std::move(snapshot));
}

}  // namespace hotkeyd
