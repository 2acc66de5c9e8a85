// The state file of a running daemon: epoch, orders and hot set go from one process to the next.
//
// Construction reads the file, so that everything can carry the new epoch; nothing is changed on the disk
// before `begin`, which the daemon calls once its sockets are its own. From then on a thread of its own
// (hotkeyd-state) encodes and writes: an fsync may take seconds, and neither the data thread, which counts,
// nor the control thread, which feeds the watchdog, may wait for it. Without a path there is no file and
// nothing to wait for. Whatever the disk does, the daemon runs, and orders apply.
//
// Data thread, but for construction, `restore` and `begin`: before it runs.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "daemon/state_disk.h"
#include "daemon/state_keeper.h"
#include "daemon/state_start.h"
#include "detector/detector.h"
#include "io/asio.h"
#include "metrics/stats.h"

namespace hotkeyd {

struct StateServiceOptions {
  std::optional<std::string> path;  // nullopt: no state is kept.
  std::string node;
  Duration lease{};
};

class StateService {
 public:
  using Note = std::function<void(const StateFileStats&)>;

  // `note` gets the figures whenever they change.
  StateService(asio::io_context& data, const StateServiceOptions& options, Detector& detector, Now start,
               Note note);
  ~StateService();

  // Of this process's streams; also without a file.
  std::uint64_t epoch() const { return start_.epoch; }
  bool is_kept() const { return disk_ != nullptr; }
  // An error: another process uses the path. Then the daemon must not run on.
  const Result<void>& claimed() const { return claimed_; }

  // Gives the detector the orders and the hot set that were left.
  void restore(Now now);
  // Sets a damaged file aside, saves the new epoch, and says so.
  void begin(Now now);

  void orders_changed(StateKeeper::Saved saved);
  void tick(Now now);
  void set_lease(Duration lease);
  // Saves everything once more; then `stopped` is called, on the data thread, which must run for it.
  void stop(std::function<void()> stopped);

 private:
  std::optional<StoredState> read();
  void set_damaged_aside(Now now);
  Result<void> save(const StateImage& image) const;
  void save_later(StateImage image);
  void written(const Result<void>& result);

  asio::io_context& data_;
  Detector& detector_;
  const Note note_;
  const std::optional<std::string> path_;
  std::unique_ptr<StateDisk> disk_;  // Null without a path. After `begin`: thread hotkeyd-state.
  Result<void> claimed_;
  std::string damage_;     // Why the file that was found cannot be used; empty: it can.
  bool is_found_ = false;  // A file that can be used.
  StateStart start_;
  std::unique_ptr<StateKeeper> keeper_;
  std::unique_ptr<asio::thread_pool> writer_;  // One thread.
};

}  // namespace hotkeyd
