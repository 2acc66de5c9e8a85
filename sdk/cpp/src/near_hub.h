// The near caches of one client, and what the daemon allows for which key.
//
// The background thread tells it what the stream of events says; it keeps the allowances, so that a cache
// made later learns them, and tells every cache. Any thread may call any member. Lock order: the hub, then a
// shard, then the recorder pool. A forked child leaves its parent's stores behind (they leak, on purpose:
// their locks may be held by threads it lacks), and each cache makes another with its next call.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "sdk/cpp/src/near_store.h"
#include "wire/report.h"

namespace hotkeyd::sdk {

class NearHub {
 public:
  static constexpr std::size_t kCachesMax = Recorder::kNearCachesMax;

  // Where a cache keeps its store. Null: it has none in this process yet.
  using Home = std::atomic<NearStore*>;
  // Gives the cache a store; the one it has by now. A store beyond `kCachesMax` is never allowed to keep.
  NearStore* open(Home& home, std::unique_ptr<NearStore> store);
  void close(Home& home);
  bool is_full() const;

  void allow(std::uint64_t hash, const std::optional<NearAllowance>& allowance);
  void allow_only(NearAllowances allowances);
  void invalidate(std::uint64_t hash) noexcept;
  void interrupt() noexcept;

  // Of all caches together; hits and loads since the start, caches that are gone included. Copies are looked
  // at at most once a second. nullopt while there never was a cache.
  std::optional<NearCacheFigures> figures(Time now);

  // For fork: held over it; in the child, before it is unlocked.
  std::mutex& mutex() { return mutex_; }
  void forget_in_child();

 private:
  std::size_t free_number() const;
  NearCacheFigures look(Time now) const;

  mutable std::mutex mutex_;
  std::vector<Home*> homes_;
  NearAllowances allowed_;
  NearStore::Counts gone_;
  bool was_used_ = false;
  NearCacheFigures figures_;  // As last looked at.
  std::optional<Time> looked_at_;
};

}  // namespace hotkeyd::sdk
