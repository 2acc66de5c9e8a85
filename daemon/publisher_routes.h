// The way of events from the data thread into the publishers' queues.
//
// Every namespace and told event is pushed to every publisher; a snapshot answers one publisher's request at
// its place in the stream. An event whose decision waited to be told is already in a snapshot taken
// meanwhile: it is left out, unless the publisher wants the history. Data thread, or before it runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "publisher/publisher.h"
#include "wire/published.h"

namespace hotkeyd {

// One publisher. It outlives its route: the control thread lets go of it only after `change`.
struct PublisherRoute {
  std::uint64_t id = 0;
  Publisher* publisher = nullptr;
};

class PublisherRoutes : public Outlet {
 public:
  // From now on events go to these. A newcomer is told of the namespaces that exist.
  void change(const std::vector<PublisherRoute>& routes, const std::vector<std::string>& namespaces);

  void namespace_opened(const std::string& ns) override;
  void told(const PublishedEvent& event) override;
  // To a publisher that has no route any more: nothing.
  void send_snapshot(std::uint64_t id, PublishedSnapshot snapshot);

 private:
  struct Sink {
    Publisher* publisher = nullptr;
    std::map<std::string, std::uint64_t> snapshot_seq;  // Of the last snapshot sent, by namespace.
  };

  std::map<std::uint64_t, Sink> sinks_;  // By id.
};

}  // namespace hotkeyd
