#include "sdk/cpp/src/recorder_pool.h"

#include <algorithm>

namespace hotkeyd::sdk {
namespace {

std::uint64_t next_pool_id() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

struct Lease {
  std::shared_ptr<RecorderPool> pool;
  Recorder* recorder;
};

// Set when the thread's leases are gone: its later thread_local destructors may still record.
constinit thread_local bool thread_is_ending = false;

class ThreadLeases {
 public:
  ~ThreadLeases() {
    thread_is_ending = true;
    for (CachedRecorder& cached : cached_recorders) cached = {};
    for (const Lease& lease : leases_) lease.pool->release(lease.recorder);
  }

  Recorder* find(const std::shared_ptr<RecorderPool>& pool) {
    std::erase_if(leases_, [](const Lease& lease) { return lease.pool->is_closed(); });
    const auto known =
        std::find_if(leases_.begin(), leases_.end(), [&](const Lease& lease) { return lease.pool == pool; });
    if (known != leases_.end()) return known->recorder;
    leases_.reserve(leases_.size() + 1);
    Recorder* recorder = pool->acquire();
    if (recorder != nullptr) leases_.push_back({pool, recorder});
    return recorder;
  }

 private:
  std::vector<Lease> leases_;
};

ThreadLeases& thread_leases() {
  static thread_local ThreadLeases leases;
  return leases;
}

}  // namespace

constinit thread_local CachedRecorder cached_recorders[kCachedRecorders] = {};

RecorderPool::RecorderPool(std::size_t recorders_max) : id_(next_pool_id()), recorders_max_(recorders_max) {}

Recorder* RecorderPool::acquire() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    if (all_.size() == recorders_max_) return nullptr;
    free_.reserve(all_.size() + 1);  // So that `release` cannot fail.
    all_.push_back(std::make_unique<Recorder>(alert_after_, Clock::now()));
    return all_.back().get();
  }
  Recorder* recorder = free_.back();
  free_.pop_back();
  return recorder;
}

void RecorderPool::release(Recorder* recorder) {
  const std::lock_guard lock(mutex_);
  free_.push_back(recorder);
}

std::uint64_t RecorderPool::recorded() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = stray_.load(std::memory_order_acquire);
  for (const auto& recorder : all_) sum += recorder->recorded();
  return sum;
}

std::uint64_t RecorderPool::dropped() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = stray_.load(std::memory_order_acquire);
  for (const auto& recorder : all_) sum += recorder->dropped();
  return sum;
}

std::uint64_t RecorderPool::near_hits(std::size_t cache) const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& recorder : all_) sum += recorder->near_hits(cache);
  return sum;
}

std::size_t RecorderPool::guarded(std::span<const void*> out) const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& recorder : all_) {
    const void* const copy = recorder->near_guard().load(std::memory_order_seq_cst);
    if (copy != nullptr) out[count++] = copy;
  }
  return count;
}

const std::vector<Recorder*>& RecorderPool::recorders() {
  const std::lock_guard lock(mutex_);
  for (std::size_t at = seen_.size(); at < all_.size(); ++at) seen_.push_back(all_[at].get());
  return seen_;
}

Recorder* recorder_of_thread(const std::shared_ptr<RecorderPool>& pool) noexcept {
  if (thread_is_ending) return nullptr;
  Recorder* recorder = nullptr;
  try {
    recorder = thread_leases().find(pool);
  } catch (...) {  // Out of memory: this thread's accesses are dropped and counted.
  }
  cached_recorders[pool->id() % kCachedRecorders] = {pool->id(), recorder};
  return recorder;
}

}  // namespace hotkeyd::sdk
