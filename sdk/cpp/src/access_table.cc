#include "sdk/cpp/src/access_table.h"

#include <algorithm>
#include <cstring>

namespace hotkeyd::sdk {
namespace {

// One writer: no read-modify-write instruction is needed.
void raise(std::atomic<std::uint64_t>& counter, std::uint64_t by) {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_release);
}

std::uint64_t low(std::uint64_t word) { return word & 0xffff'ffffU; }
std::uint64_t high(std::uint64_t word) { return word >> 32; }

}  // namespace

AccessTable::AccessTable()
    : entries_(std::make_unique<Entry[]>(kKeysMax)),
      arena_(std::make_unique_for_overwrite<char[]>(kArenaBytes)),
      taken_(std::make_unique<Increment[]>(kKeysMax)) {}

std::uint32_t AccessTable::append(std::string_view key, std::uint32_t alert_after) {
  const std::uint32_t at = used_.load(std::memory_order_relaxed);
  if (at == kKeysMax || key.size() > kArenaBytes - arena_used_) return kNone;
  Entry& entry = entries_[at];
  entry.offset = arena_used_;
  entry.size = static_cast<std::uint32_t>(key.size());
  entry.until_alert = alert_after;
  std::memcpy(arena_.get() + arena_used_, key.data(), key.size());
  arena_used_ += entry.size;
  used_.store(at + 1, std::memory_order_release);
  return at;
}

bool AccessTable::is_key(std::uint32_t entry, std::string_view key) const {
  const Entry& known = entries_[entry];
  return known.size == key.size() && std::memcmp(arena_.get() + known.offset, key.data(), key.size()) == 0;
}

bool AccessTable::add(std::uint32_t entry, const Increment& increment) {
  Entry& known = entries_[entry];
  raise(known.reads_misses, increment.reads_misses);
  if (increment.writes_locals != 0) raise(known.writes_locals, increment.writes_locals);
  if (increment.bytes != 0) raise(known.bytes, increment.bytes);
  return --known.until_alert == 0;
}

std::uint32_t AccessTable::untaken(std::uint32_t entry) const {
  const Entry& known = entries_[entry];
  const std::uint64_t accesses = known.reads_misses.load(std::memory_order_relaxed) +
                                 known.writes_locals.load(std::memory_order_relaxed);
  return static_cast<std::uint32_t>(accesses) - known.taken_accesses.load(std::memory_order_relaxed);
}

Growth AccessTable::growth(std::size_t entry, Increment& seen) const {
  const Entry& known = entries_[entry];
  seen.bytes = known.bytes.load(std::memory_order_acquire);
  seen.writes_locals = known.writes_locals.load(std::memory_order_acquire);
  seen.reads_misses = known.reads_misses.load(std::memory_order_acquire);
  const Increment& before = taken_[entry];
  const std::uint64_t reads_misses = seen.reads_misses - before.reads_misses;
  const std::uint64_t writes_locals = seen.writes_locals - before.writes_locals;
  return {.key = {arena_.get() + known.offset, known.size},
          .reads = low(reads_misses),
          .writes = low(writes_locals),
          .misses = high(reads_misses),
          .local_hits = std::min(high(writes_locals), low(reads_misses)),
          .bytes = seen.bytes - before.bytes};
}

void AccessTable::mark_taken(std::size_t entry, const Growth& growth, const Increment& seen) {
  Increment& before = taken_[entry];
  before.bytes = seen.bytes;
  before.reads_misses = seen.reads_misses;
  before.writes_locals += growth.writes + (growth.local_hits << 32);
  entries_[entry].taken_accesses.fetch_add(static_cast<std::uint32_t>(growth.accesses()),
                                           std::memory_order_relaxed);
}

void AccessTable::clear() {
  const std::uint32_t used = used_.load(std::memory_order_relaxed);
  for (std::uint32_t at = 0; at < used; ++at) {
    Entry& entry = entries_[at];
    entry.reads_misses.store(0, std::memory_order_relaxed);
    entry.writes_locals.store(0, std::memory_order_relaxed);
    entry.bytes.store(0, std::memory_order_relaxed);
    entry.taken_accesses.store(0, std::memory_order_relaxed);
    taken_[at] = {};
  }
  used_.store(0, std::memory_order_relaxed);
  arena_used_ = 0;
  retired_.store(false, std::memory_order_release);
}

}  // namespace hotkeyd::sdk
