// The copies and loads of one near cache in one process: shards, their locks, and reading without a lock.
//
// Any thread may call any member. Values are destroyed without a shard's lock held. A forked child abandons
// its parent's store, whose locks may be held for ever (see NearHub).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "sdk/cpp/src/near_clock.h"
#include "sdk/cpp/src/near_shard.h"
#include "sdk/cpp/src/recorder_pool.h"

namespace hotkeyd::sdk {

struct NearStoreOptions {
  std::size_t bytes_max = 0;
  Duration load_timeout{};
  Duration max_staleness{};
  std::uint64_t seed = 0;
};

class NearStore {
 public:
  static constexpr std::size_t kShardsMax = 16;
  static constexpr std::size_t kShardBytes = std::size_t{4} << 20;  // As many shards as hold this much.
  static constexpr std::size_t kNoNumber = ~std::size_t{0};

  // `readers`: where guards stand; null when nobody reads without a lock.
  NearStore(const NearStoreOptions& options, std::shared_ptr<RecorderPool> readers);

  // The copy, named in `guard` until that is cleared, if it is before its deadline; no lock, no allocation.
  template <typename AnyClock>
  const NearEntry* find(std::string_view key, std::uint64_t hash, NearGuard& guard,
                        const AnyClock& clock) const noexcept;

  NearShard::Step begin(std::string_view key, std::uint64_t hash, std::uint64_t caller, Time now);
  void finish(const std::shared_ptr<NearFlight>& flight, const NearValuePtr& value, Time now) noexcept;

  void allow(std::uint64_t hash, const std::optional<NearAllowance>& allowance);
  void allow_only(const NearAllowances& allowances);
  void invalidate(std::uint64_t hash);
  void interrupt();
  hotkey::NearStats stats(Time now) const;
  struct Counts {
    std::uint64_t hits = 0;
    std::uint64_t loads = 0;
  };
  Counts counts() const;  // Cheaper: looks at no copy.

  // Of the client's caches, which this is: where its readers count their hits. Set by the hub.
  std::size_t number() const { return number_; }
  void set_number(std::size_t number);

 private:
  struct Locked {
    explicit Locked(const NearShardOptions& options) : shard(options) {}
    std::mutex mutex;
    NearShard shard;
  };

  Locked& shard_of(std::uint64_t hash) const { return *shards_[(hash >> 32) % shards_.size()]; }
  template <typename Action>
  void locked(Locked& locked, Action&& action) const;
  template <typename Action>
  void locked_each(Action&& action) const;
  NearGarbage collect(NearShard& shard) const;
  std::uint64_t reader_hits() const;

  const std::shared_ptr<RecorderPool> readers_;
  std::vector<std::unique_ptr<Locked>> shards_;
  std::size_t number_ = kNoNumber;
  std::uint64_t hits_before_ = 0;
};

template <typename AnyClock>
const NearEntry* NearStore::find(std::string_view key, std::uint64_t hash, NearGuard& guard,
                                 const AnyClock& clock) const noexcept {
  const NearEntry* entry = shard_of(hash).shard.index().protect(hash, guard);
  if (entry == nullptr) return nullptr;
  if (entry->key != key || !is_before(entry->deadline_at(), clock)) {
    guard.store(nullptr, std::memory_order_release);
    return nullptr;
  }
  if (!entry->is_visited.load(std::memory_order_relaxed))
    entry->is_visited.store(true, std::memory_order_relaxed);
  return entry;
}

}  // namespace hotkeyd::sdk
