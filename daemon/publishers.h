// The remote publishers of the daemon: started, replaced by a reload, drained at the end.
//
// A reload keeps every publisher whose options stay, with its connection and queue. One that is gone drains
// in the background; one whose options changed is a new publisher of the same name, which collects events at
// once and begins to send when its predecessor has drained (or given up). Its counters go on from those of
// the predecessor. Control thread, but for `stats`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "daemon/publisher_routes.h"
#include "io/asio.h"
#include "publisher/publisher.h"

namespace hotkeyd {

class Publishers {
 public:
  using Make = std::function<std::unique_ptr<Publisher>(std::uint64_t id, const PublisherOptions& options,
                                                        Duration lease)>;
  struct Sink {
    std::uint64_t id = 0;
    PublisherOptions options;
    Duration lease{};
    std::unique_ptr<Publisher> publisher;
    bool is_started = false;
  };
  // The publishers that are to be, in order: the index of a running one, or a new one.
  struct Change {
    struct Place {
      std::optional<std::size_t> kept;
      Sink made;
    };
    std::vector<Place> places;
    std::vector<PublisherRoute> routes;
  };

  Publishers(asio::io_context& control, Make make) : control_(control), make_(std::move(make)) {}

  // The three steps of a change: make what is new; then, on the data thread, PublisherRoutes::change with the
  // change's routes; then let go of what is gone, which may drain for `patience`.
  Change prepare(const std::vector<PublisherOptions>& wanted, Duration lease);
  void commit(Change change, Duration patience);

  // Flushes all; calls `stopped` once, with whether every publisher drained in time.
  void stop(Duration deadline, std::function<void(bool)> stopped);
  // " redis (3 events wait)" for each that was told to stop and has not.
  std::string unfinished() const;

  // Any thread. One entry a name, in the order of the configuration.
  std::vector<PublisherStats> stats() const;

 private:
  std::vector<Sink> exchange(Change change);
  void start_unhindered();
  void retire(Sink gone, Duration patience);
  void on_stopped(std::uint64_t id, bool drained);
  void carry(const Sink& gone);
  void forget_unused();
  PublisherStats stats_of(const Sink& sink) const;
  bool is_name_taken(const std::string& name) const;

  asio::io_context& control_;
  const Make make_;
  std::uint64_t last_id_ = 0;
  std::function<void(bool)> stopped_;  // Set while stopping.
  bool drained_ = true;

  mutable std::mutex mutex_;  // Of the lists and `carried_`: only the control thread changes them.
  std::vector<Sink> sinks_;
  std::vector<Sink> retiring_;                     // They drain.
  std::map<std::string, PublisherStats> carried_;  // Counters of predecessors, by name.
};

// Adds what `other` counted; state and `up` stay.
void add_counters(PublisherStats& stats, const PublisherStats& other);

}  // namespace hotkeyd
