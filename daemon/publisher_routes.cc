#include "daemon/publisher_routes.h"

#include <utility>

namespace hotkeyd {

void PublisherRoutes::change(const std::vector<PublisherRoute>& routes,
                             const std::vector<std::string>& namespaces) {
  std::map<std::uint64_t, Sink> before = std::exchange(sinks_, {});
  for (const PublisherRoute& route : routes) {
    if (auto kept = before.extract(route.id); !kept.empty()) {
      sinks_.insert(std::move(kept));
      continue;
    }
    sinks_.emplace(route.id, Sink{route.publisher, {}});
    for (const std::string& ns : namespaces) route.publisher->push(NamespaceOpened{ns});
  }
}

void PublisherRoutes::namespace_opened(const std::string& ns) {
  for (auto& [id, sink] : sinks_) sink.publisher->push(NamespaceOpened{ns});
}

void PublisherRoutes::told(const PublishedEvent& event) {
  for (auto& [id, sink] : sinks_) {
    const auto snapshot = sink.snapshot_seq.find(event.ns);
    const bool is_in_snapshot = snapshot != sink.snapshot_seq.end() && event.seq <= snapshot->second;
    if (is_in_snapshot && event.type != EventType::invalidated && !sink.publisher->wants_history()) continue;
    sink.publisher->push(event);
  }
}

void PublisherRoutes::send_snapshot(std::uint64_t id, PublishedSnapshot snapshot) {
  const auto found = sinks_.find(id);
  if (found == sinks_.end()) return;
  found->second.snapshot_seq[snapshot.ns] = snapshot.seq;
  found->second.publisher->push(std::move(snapshot));
}

}  // namespace hotkeyd
