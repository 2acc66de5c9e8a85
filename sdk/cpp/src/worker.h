// The background thread of a client: flushes tables, talks to the daemon, keeps the hot set and its lease.
//
// Everything in it belongs to that thread, except what is marked. It polls one socket and the doorbell, so
// that it sleeps while there is nothing to do.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "base/backoff.h"
#include "sdk/cpp/src/callbacks.h"
#include "sdk/cpp/src/connection.h"
#include "sdk/cpp/src/doorbell.h"
#include "sdk/cpp/src/drain.h"
#include "sdk/cpp/src/flush_timer.h"
#include "sdk/cpp/src/hot_set.h"
#include "sdk/cpp/src/invalidations.h"
#include "sdk/cpp/src/near_hub.h"
#include "sdk/cpp/src/session.h"
#include "sdk/cpp/src/troubles.h"

namespace hotkeyd::sdk {

struct WorkerOptions {
  Endpoint endpoint;
  SessionOptions session;
  Duration flush_interval{};
  std::uint64_t seed = 0;
};

// What a worker shares with the threads of the application. Outlives it.
struct WorkerShared {
  RecorderPool& pool;
  HotSet& hot_set;
  Doorbell& doorbell;
  Invalidations& invalidations;
  Callbacks& callbacks;
  Troubles& troubles;
  NearHub& near;
};

class Worker : private SessionListener {
 public:
  static constexpr Duration kLastFlush = std::chrono::milliseconds(200);

  Worker(WorkerOptions options, WorkerShared shared, HotStream::Hash hash);
  ~Worker() override;  // Rings `stop` and waits for the last flush, at most `kLastFlush`.

  // Any thread.
  std::uint64_t acknowledged() const { return acknowledged_.load(std::memory_order_acquire); }
  std::uint64_t dropped() const {
    return dropped_.load(std::memory_order_acquire);
  }  // Those of the pool excepted.
  bool is_ready() const { return is_ready_.load(std::memory_order_acquire); }
  // Waits until `is_done` holds; it is looked at whenever batches were settled.
  bool wait(std::chrono::milliseconds timeout, const std::function<bool()>& is_done);

  void abandon() { connection_.abandon(); }  // In a forked child.

 private:
  void run();
  void step();
  void sleep_until(Time deadline);
  Time deadline(Time now) const;
  bool is_last_flush_over(Time now) const;
  void advance(Time now);
  void exchange_bytes(Time now);
  void flush_if_due(Time now);
  void settle();
  void lose(const std::string& cause, Time now);
  void keep(const Result<void>& done, Time now);
  void end_lease(Time now);
  void tell(const hotkey::Event& event);
  void interrupt();

  void on_event(const Event& event, const HotStream::Outcome& outcome) override;
  std::optional<NearCacheFigures> near_figures(Time now) override { return shared_.near.figures(now); }
  void on_smallest_threshold(std::uint64_t accesses) override;
  void on_trouble(const std::string& sentence) override;

  const WorkerOptions options_;
  WorkerShared shared_;
  Connection connection_;
  Outbox outbox_;
  HotStream stream_;
  Session session_;
  Drain drain_;
  FlushTimer timer_;
  Backoff backoff_;
  Time retry_at_{};
  Time connect_deadline_{};
  Time stopping_at_ = Time::max();  // When the last flush ends.
  std::string input_;
  bool is_polled_ready_ = false;

  std::atomic<std::uint64_t> acknowledged_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<bool> is_ready_{false};
  std::mutex wait_mutex_;
  std::condition_variable settled_;
  std::thread thread_;  // Last: it uses everything above.
};

}  // namespace hotkeyd::sdk
