#include "sdk/cpp/src/near_store.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hotkeyd::sdk {

NearStore::NearStore(const NearStoreOptions& options, std::shared_ptr<RecorderPool> readers)
    : readers_(std::move(readers)) {
  const std::size_t shards = std::clamp<std::size_t>(options.bytes_max / kShardBytes, 1, kShardsMax);
  for (std::size_t i = 0; i < shards; ++i) {
    shards_.push_back(std::make_unique<Locked>(NearShardOptions{.bytes_max = options.bytes_max / shards,
                                                                .load_timeout = options.load_timeout,
                                                                .max_staleness = options.max_staleness,
                                                                .seed = options.seed + i}));
  }
}

// What is guarded is found out after the last copy was taken out of the index.
NearGarbage NearStore::collect(NearShard& shard) const {
  if (!shard.has_garbage()) return {};
  std::array<const void*, RecorderPool::kRecordersMax> guarded;
  const auto end = guarded.begin() + static_cast<std::ptrdiff_t>(readers_ ? readers_->guarded(guarded) : 0);
  return shard.collect([&](const NearEntry* entry) { return std::find(guarded.begin(), end, entry) != end; });
}

template <typename Action>
void NearStore::locked(Locked& locked, Action&& action) const {
  const auto run = [&] {
    const std::lock_guard lock(locked.mutex);
    action(locked.shard);
    return collect(locked.shard);
  };
  const NearGarbage garbage = run();
}

template <typename Action>
void NearStore::locked_each(Action&& action) const {
  for (const auto& shard : shards_) locked(*shard, action);
}

NearShard::Step NearStore::begin(std::string_view key, std::uint64_t hash, std::uint64_t caller, Time now) {
  NearShard::Step step;
  locked(shard_of(hash), [&](NearShard& shard) { step = shard.begin(key, hash, caller, now); });
  return step;
}

// Without memory for a copy none is kept.
void NearStore::finish(const std::shared_ptr<NearFlight>& flight, const NearValuePtr& value,
                       Time now) noexcept {
  try {
    locked(shard_of(flight->hash), [&](NearShard& shard) { shard.finish(flight, value, now); });
  } catch (const std::bad_alloc&) {
  }
}

void NearStore::allow(std::uint64_t hash, const std::optional<NearAllowance>& allowance) {
  locked(shard_of(hash), [&](NearShard& shard) { shard.allow(hash, allowance); });
}

void NearStore::allow_only(const NearAllowances& allowances) {
  std::vector<NearAllowances> parts(shards_.size());
  for (const auto& [hash, allowance] : allowances) parts[(hash >> 32) % shards_.size()][hash] = allowance;
  for (std::size_t i = 0; i < shards_.size(); ++i)
    locked(*shards_[i], [&](NearShard& shard) { shard.allow_only(std::move(parts[i])); });
}

void NearStore::invalidate(std::uint64_t hash) {
  locked(shard_of(hash), [&](NearShard& shard) { shard.invalidate(hash); });
}

void NearStore::interrupt() {
  locked_each([](NearShard& shard) { shard.interrupt(); });
}

hotkey::NearStats NearStore::stats(Time now) const {
  hotkey::NearStats sum;
  locked_each([&](NearShard& shard) {
    const hotkey::NearStats part = shard.stats(now);
    sum.hits += part.hits;
    sum.loads += part.loads;
    sum.waits += part.waits;
    sum.invalidations += part.invalidations;
    sum.bytes += part.bytes;
    sum.oldest_age = std::max(sum.oldest_age, part.oldest_age);
    sum.entries += part.entries;
    sum.evictions += part.evictions;
    sum.refused += part.refused;
    sum.withdrawn += part.withdrawn;
    sum.failures += part.failures;
    sum.timeouts += part.timeouts;
  });
  sum.hits += reader_hits();
  return sum;
}

NearStore::Counts NearStore::counts() const {
  Counts sum{.hits = reader_hits()};
  locked_each([&](NearShard& shard) {
    sum.hits += shard.hits();
    sum.loads += shard.loads();
  });
  return sum;
}

std::uint64_t NearStore::reader_hits() const {
  return readers_ && number_ != kNoNumber ? readers_->near_hits(number_) - hits_before_ : 0;
}

void NearStore::set_number(std::size_t number) {
  number_ = number;
  hits_before_ = readers_ ? readers_->near_hits(number) : 0;
}

}  // namespace hotkeyd::sdk
