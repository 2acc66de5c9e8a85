// The way from the data thread to the remote publishers, and back.
//
// Data thread: `namespace_opened` and `told` push to every publisher; `send_snapshot` answers a publisher's
// request at its place in the stream. An event whose decision waited to be told is already in a snapshot
// taken meanwhile: it is left out, as a publisher expects. Control thread: everything else.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "publisher/publisher.h"
#include "wire/published.h"

namespace hotkeyd {

class Publishers : public Outlet {
 public:
  // Control thread, before the data thread runs.
  void add(std::unique_ptr<Publisher> publisher);
  void start();
  // Flushes all; calls `stopped` once, with whether every publisher drained in time.
  void stop(Duration deadline, std::function<void(bool)> stopped);

  // Any thread.
  std::vector<PublisherStats> stats() const;
  std::size_t size() const { return sinks_.size(); }

  // Data thread.
  void namespace_opened(const std::string& ns) override;
  void told(const PublishedEvent& event) override;
  void send_snapshot(std::size_t publisher, PublishedSnapshot snapshot);

 private:
  struct Sink {
    std::unique_ptr<Publisher> publisher;
    std::map<std::string, std::uint64_t>
        snapshot_seq;  // Data thread: of the last snapshot sent, by namespace.
  };

  std::vector<Sink> sinks_;
};

}  // namespace hotkeyd
