// One part of a near cache: what may be kept, what is kept, and which loads are in flight. It decides; the
// store around it locks, waits and calls loaders.
//
// - A copy's deadline counts from before its load began. It is served before it, never at or after it.
// - A load is begun only while none of its key is in flight, unless that one is overdue; then the old one's
//   value is not kept. A thread that loads a key and asks for it again loads alone.
// - What an invalidation or an interruption finds in flight is outdated: it is not kept, and who comes later
//   waits until it is over and then loads anew. Every load that could be kept stands in `flights_` under the
//   same lock, so that this mark is exact, where a generation number would be one for many keys.
// - A change of what is allowed drops only what is no longer allowed.
// Pure but for readers in the index: time and seed come in; one thread at a time. Bounded: `bytes_max`; as
// many flights as callers; the allowances by those who tell them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "base/random.h"
#include "hotkey/near_core.h"
#include "sdk/cpp/src/near_flight.h"
#include "sdk/cpp/src/near_index.h"
#include "sdk/cpp/src/near_sieve.h"
#include "wire/event.h"

namespace hotkeyd::sdk {

using NearAllowance = EventNearCache;
using NearAllowances = std::unordered_map<std::uint64_t, NearAllowance>;  // By hash of the key.

struct NearShardOptions {
  std::size_t bytes_max = 0;
  Duration load_timeout{};
  Duration max_staleness{};  // Zero: no bound of its own.
  std::uint64_t seed = 0;
};

class NearShard {
 public:
  explicit NearShard(const NearShardOptions& options);
  ~NearShard();
  NearShard(const NearShard&) = delete;
  NearShard& operator=(const NearShard&) = delete;

  enum class Kind {
    hit,    // `value` is the answer.
    lead,   // Load, then `finish` the flight.
    join,   // The flight's result is the answer.
    wait,   // Wait until the flight is over, then begin again.
    alone,  // Load; nobody else is concerned.
  };
  struct Step {
    Kind kind = Kind::alone;
    NearValuePtr value = {};
    std::shared_ptr<NearFlight> flight = {};
  };
  Step begin(std::string_view key, std::uint64_t hash, std::uint64_t caller, Time now);
  // The load is over; a null value says that it failed. Keeps the value if it may.
  void finish(const std::shared_ptr<NearFlight>& flight, const NearValuePtr& value, Time now);

  void allow(std::uint64_t hash, const std::optional<NearAllowance>& allowance);
  void allow_only(NearAllowances allowances);
  void invalidate(std::uint64_t hash);
  void interrupt();  // Invalidations may have been missed.

  const NearIndex& index() const { return index_; }
  // Hands out what was dropped, but for what a reader guards; to be destroyed without a lock held.
  NearGarbage collect(const std::function<bool(const NearEntry*)>& is_guarded);
  bool has_garbage() const { return !dropped_.empty(); }
  // Everything but hits without a lock and `verify`; drops what is past its deadline.
  hotkey::NearStats stats(Time now);
  std::uint64_t hits() const { return counted_.hits; }
  std::uint64_t loads() const { return counted_.loads; }

 private:
  void keep(const NearFlight& flight, const NearValuePtr& value, Time now);
  void bound_by(NearEntry& entry, const NearAllowance& allowance);
  Duration ttl_of(const NearAllowance& allowance) const;
  void drop(NearEntry* entry);
  void withdraw(NearEntry* entry);  // Drops a copy that is not allowed any more, and counts it.

  const NearShardOptions options_;
  Random random_;
  NearAllowances allowed_;
  NearIndex index_;
  NearSieve sieve_;
  std::unordered_map<std::uint64_t, std::shared_ptr<NearFlight>> flights_;
  NearGarbage dropped_;
  hotkey::NearStats counted_;
};

}  // namespace hotkeyd::sdk
