// Decides when the state file is written, and whom that answers.
//
// Orders are saved at once: those that come while a write runs wait together for the next one, so that they
// share its fsync. The hot set is saved when it has changed, at most once a second, and, while it is not
// empty, at least each third of a lease: it must be younger than its lease when the process is killed. What
// could not be saved is tried again, after 1 s at first and 30 s at most; an order that fails meanwhile holds
// and is answered with the cause. A disk that does not answer for 10 s fails the orders that wait for it.
//
// At most one write runs; how many orders wait is bounded by `ReplyQueue::kJoinedMax` a connection. Data
// thread; virtual time; no I/O: `write` hands the image to a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/backoff.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "daemon/state_codec.h"
#include "detector/detector.h"
#include "metrics/stats.h"

namespace hotkeyd {

// What is to be written. Its parts are shared with the next image where they have not changed.
struct StateImage {
  StateHeader header;
  std::shared_ptr<const SavedOrders> orders;
  std::shared_ptr<const SavedHotSets> hot;
};

class StateKeeper {
 public:
  static constexpr Duration kHotInterval = std::chrono::seconds{1};
  static constexpr Duration kRetryMin = std::chrono::seconds{1};
  static constexpr Duration kRetryMax = std::chrono::seconds{30};
  static constexpr Duration kPatience = std::chrono::seconds{10};

  using Saved = std::function<void(Result<void>)>;
  // `written` must follow each call.
  using Write = std::function<void(StateImage)>;

  // `header` names node, epoch and lease. The detector must outlive this.
  StateKeeper(StateHeader header, const Detector& detector, Write write);

  // The first image of this process, with a hot set that is as old as `hot_at_ms`: the caller writes it and
  // says `written`. So the epoch is on the disk before it is used.
  StateImage begin(UnixMs hot_at_ms, Now now);
  // An order was given or taken back. `saved` is called once.
  void orders_changed(Saved saved, Now now);
  void tick(Now now);
  void written(const Result<void>& result, Now now);
  // The last write, with the hot set as it is; `stopped` is called when it has ended. Nothing is written
  // after it.
  void stop(std::function<void()> stopped, Now now);

  // From now on; the next write holds it.
  void set_lease(Duration lease) { header_.lease_ms = to_ms(lease); }
  const StateFileStats& stats() const { return stats_; }

 private:
  bool is_hot_due(Now now) const;
  bool is_retry_due(Now now) const { return stats_.is_unsaved && now.steady >= retry_at_; }
  void write_if_due(Now now);
  void capture_orders();
  void capture_hot(Now now);
  void write(Now now);
  void lose_patience(Now now);
  void on_failed(const std::string& cause, Now now);
  void on_saved(Now now);

  StateHeader header_;
  const Detector& detector_;
  const Write write_;
  std::shared_ptr<const SavedOrders> orders_;
  std::shared_ptr<const SavedHotSets> hot_;
  bool orders_changed_ = false;      // Since `orders_` was captured.
  std::uint64_t hot_decisions_ = 0;  // Of the detector, when `hot_` was captured.
  bool hot_is_old_ = false;          // Restored: to be dated anew.
  Time hot_captured_{};
  std::optional<Time> writing_since_;
  Time retry_at_{};
  Backoff backoff_{kRetryMin, kRetryMax, 1};
  std::vector<Saved> waiting_;   // For the next write.
  std::vector<Saved> in_write_;  // For the one that runs.
  std::function<void()> stopped_;
  bool is_last_ = false;  // The write that runs is the last one.
  LogLimiter log_limit_{std::chrono::seconds{10}};
  StateFileStats stats_;
};

}  // namespace hotkeyd
