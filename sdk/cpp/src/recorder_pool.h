// The recorders of one client: one for each thread that records, handed on when a thread ends.
//
// A recorder is never taken down before the pool: its counts stay until the background thread has taken them,
// and the next new thread goes on with it. At most `kRecordersMax`; accesses of threads beyond that are
// counted as recorded and dropped. Threads hold the pool, so that a thread that outlives the client ends in
// peace.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sdk/cpp/src/recorder.h"

namespace hotkeyd::sdk {

class RecorderPool {
 public:
  static constexpr std::size_t kRecordersMax = 1024;

  explicit RecorderPool(std::size_t recorders_max = kRecordersMax);

  std::uint64_t id() const { return id_; }  // Unique in the process, forked children included; never 0.

  // Any thread.
  Recorder* acquire();  // Null at the limit.
  void release(Recorder* recorder);
  void count_stray() { stray_.fetch_add(1, std::memory_order_acq_rel); }  // Recorded, and dropped at once.
  void close() { closed_.store(true, std::memory_order_release); }
  bool is_closed() const { return closed_.load(std::memory_order_acquire); }
  std::uint64_t recorded() const;
  std::uint64_t dropped() const;
  std::uint64_t near_hits(std::size_t cache) const;
  // Writes the copies that threads read now; how many. There is room for one of each recorder.
  std::size_t guarded(std::span<const void*> out) const;

  // Early flushes are wished after this many accesses of a key. Set by the background thread.
  void set_alert_after(std::uint32_t accesses) { alert_after_.store(accesses, std::memory_order_relaxed); }

  // Every recorder so far. The background thread.
  const std::vector<Recorder*>& recorders();

 private:
  const std::uint64_t id_;
  const std::size_t recorders_max_;
  std::atomic<std::uint32_t> alert_after_{100};
  std::atomic<std::uint64_t> stray_{0};
  std::atomic<bool> closed_{false};
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Recorder>> all_;
  std::vector<Recorder*> free_;
  std::vector<Recorder*> seen_;  // The background thread's copy of all_.
};

// The calling thread's recorder of the pool; null when there is none for it. Slow: the cache below goes
// before.
Recorder* recorder_of_thread(const std::shared_ptr<RecorderPool>& pool) noexcept;

struct CachedRecorder {
  std::uint64_t pool_id = 0;
  Recorder* recorder = nullptr;  // Null: the pool has none for this thread.
};
inline constexpr std::size_t kCachedRecorders = 4;
extern constinit thread_local CachedRecorder cached_recorders[kCachedRecorders];

}  // namespace hotkeyd::sdk
