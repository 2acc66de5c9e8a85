#include "sdk/cpp/src/near_shard.h"

#include <algorithm>
#include <utility>

namespace hotkeyd::sdk {
namespace {

constexpr std::size_t kOverhead = 200;  // Bytes of an entry, its places in list and table, and the holder.
constexpr std::uint64_t kTtlMaxMs = 86'400'000;

}  // namespace

NearShard::NearShard(const NearShardOptions& options) : options_(options), random_(options.seed) {}

NearShard::~NearShard() {
  while (NearEntry* entry = sieve_.oldest()) drop(entry);
}

NearShard::Step NearShard::begin(std::string_view key, std::uint64_t hash, std::uint64_t caller, Time now) {
  if (NearEntry* entry = index_.find(hash); entry != nullptr && entry->key == key) {
    if (now < entry->deadline_at()) {
      entry->is_visited.store(true, std::memory_order_relaxed);
      ++counted_.hits;
      return {Kind::hit, entry->owner};
    }
    drop(entry);
  }
  if (const auto found = flights_.find(hash); found != flights_.end()) {
    const std::shared_ptr<NearFlight>& flight = found->second;
    if (flight->key != key || flight->caller == caller) return ++counted_.loads, Step{Kind::alone};
    if (now < flight->overdue_at) {
      ++counted_.waits;
      return {flight->is_outdated ? Kind::wait : Kind::join, {}, flight};
    }
    ++counted_.timeouts;
  }
  auto flight = std::make_shared<NearFlight>();
  flight->key = key;
  flight->hash = hash;
  flight->caller = caller;
  flight->started = now;
  flight->overdue_at = now + options_.load_timeout;
  flights_[hash] = flight;
  ++counted_.loads;
  return {Kind::lead, {}, std::move(flight)};
}

void NearShard::finish(const std::shared_ptr<NearFlight>& flight, const NearValuePtr& value, Time now) {
  if (!value) ++counted_.failures;
  const auto found = flights_.find(flight->hash);
  if (found == flights_.end() || found->second != flight) return;
  flights_.erase(found);
  if (value && !flight->is_outdated) keep(*flight, value, now);
}

void NearShard::keep(const NearFlight& flight, const NearValuePtr& value, Time now) {
  const auto allowed = allowed_.find(flight.hash);
  if (allowed == allowed_.end()) return;
  const std::size_t charge = value->bytes + flight.key.size() + kOverhead;
  if (value->bytes > allowed->second.max_value_bytes || charge < value->bytes ||
      charge > options_.bytes_max) {
    ++counted_.refused;
    return;
  }
  const Duration ttl = ttl_of(allowed->second);
  const Time deadline = flight.started + ttl - ttl / 1000 * random_.below(101);
  if (deadline <= now) return;
  auto entry = std::make_unique<NearEntry>();
  entry->hash = flight.hash;
  entry->key = flight.key;
  entry->owner = value;
  entry->value = value.get();
  entry->charge = charge;
  entry->started = flight.started;
  entry->set_deadline(deadline);
  if (NearEntry* before = index_.find(flight.hash)) drop(before);
  while (counted_.bytes + charge > options_.bytes_max) {
    ++counted_.evictions;
    drop(sieve_.victim());
  }
  index_.put(entry.get());
  sieve_.add(entry.release());
  counted_.bytes += charge;
}

Duration NearShard::ttl_of(const NearAllowance& allowance) const {
  const Duration ttl = std::chrono::milliseconds(std::min(allowance.ttl_ms, kTtlMaxMs));
  return options_.max_staleness > Duration::zero() ? std::min(ttl, options_.max_staleness) : ttl;
}

void NearShard::drop(NearEntry* entry) {
  index_.erase(entry->hash);
  sieve_.remove(entry);
  counted_.bytes -= entry->charge;
  dropped_.add(entry);
}

void NearShard::allow(std::uint64_t hash, const std::optional<NearAllowance>& allowance) {
  NearEntry* entry = index_.find(hash);
  if (allowance) {
    allowed_[hash] = *allowance;
    if (entry != nullptr) bound_by(*entry, *allowance);
  } else {
    allowed_.erase(hash);
    if (entry != nullptr) withdraw(entry);
  }
}

void NearShard::withdraw(NearEntry* entry) {
  ++counted_.withdrawn;
  drop(entry);
}

void NearShard::bound_by(NearEntry& entry, const NearAllowance& allowance) {
  if (entry.value->bytes > allowance.max_value_bytes) return withdraw(&entry);
  entry.set_deadline(std::min(entry.deadline_at(), entry.started + ttl_of(allowance)));
}

void NearShard::allow_only(NearAllowances allowances) {
  allowed_ = std::move(allowances);
  for (NearEntry *entry = sieve_.oldest(), *next = nullptr; entry != nullptr; entry = next) {
    next = entry->newer;
    const auto allowed = allowed_.find(entry->hash);
    allowed == allowed_.end() ? withdraw(entry) : bound_by(*entry, allowed->second);
  }
}

void NearShard::invalidate(std::uint64_t hash) {
  NearEntry* entry = index_.find(hash);
  const auto flight = flights_.find(hash);
  const bool is_kept = flight != flights_.end() && !flight->second->is_outdated;
  if (entry != nullptr || is_kept) ++counted_.invalidations;
  if (is_kept) flight->second->is_outdated = true;
  if (entry != nullptr) drop(entry);
}

void NearShard::interrupt() {
  for (const auto& flight : flights_) flight.second->is_outdated = true;
  while (NearEntry* entry = sieve_.oldest()) drop(entry);
}

NearGarbage NearShard::collect(const std::function<bool(const NearEntry*)>& is_guarded) {
  NearGarbage all(std::move(dropped_));
  NearGarbage free;
  while (NearEntry* entry = all.take()) (is_guarded(entry) ? dropped_ : free).add(entry);
  return free;
}

hotkey::NearStats NearShard::stats(Time now) {
  for (NearEntry *entry = sieve_.oldest(), *next = nullptr; entry != nullptr; entry = next) {
    next = entry->newer;
    if (entry->deadline_at() <= now) drop(entry);
  }
  hotkey::NearStats stats = counted_;
  stats.entries = index_.size();
  Time oldest = now;
  for (const NearEntry* entry = sieve_.oldest(); entry != nullptr; entry = entry->newer)
    oldest = std::min(oldest, entry->started);
  stats.oldest_age = std::chrono::duration_cast<std::chrono::milliseconds>(now - oldest);
  return stats;
}

}  // namespace hotkeyd::sdk
