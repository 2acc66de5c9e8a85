// Moves counts from the recorders into batches, and drops what cannot wait.
//
// What finds no room in the four batches stays in its table until one is acknowledged. While the daemon is
// away or refuses everything, or after `kWaitMax` without progress (older counts are of no use to a window),
// it is dropped and counted. The background thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "sdk/cpp/src/outbox.h"
#include "sdk/cpp/src/recorder_pool.h"

namespace hotkeyd::sdk {

class Drain {
 public:
  static constexpr Duration kWaitMax = std::chrono::seconds(10);

  Drain(RecorderPool& pool, Outbox& outbox) : pool_(pool), outbox_(outbox) {}

  // `is_reachable`: batches may be acknowledged soon.
  void flush(bool is_reachable, Time now);
  bool is_held() const { return held_since_.has_value(); }  // Some counts found no room.
  std::uint64_t dropped() const { return dropped_; }        // By this class.

 private:
  bool take(Recorder& recorder, std::uint64_t dropped_so_far, Time now);
  void drop(Recorder& recorder, Time now);

  RecorderPool& pool_;
  Outbox& outbox_;
  std::uint64_t dropped_ = 0;
  std::optional<Time> held_since_;
  std::size_t first_ = 0;  // The recorder to begin with: those that were held go first.
};

}  // namespace hotkeyd::sdk
