// What one near cache would have done for one key while it was hot, access by access.
//
// A read within the TTL of a load is saved; another read is a load and begins a new copy. A saved read is
// stale where a write came between the load and it: the bound on what a near cache without invalidation
// costs. A copy ends with the near cache's permission. Times are microseconds; pure.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace hotkeyd {

struct NearTotals {
  std::uint64_t saved = 0;  // Reads answered from the copy, stale ones included.
  std::uint64_t stale = 0;

  bool operator==(const NearTotals&) const = default;
};

class NearReplay {
 public:
  // nullopt: the key must not be held in a near cache (any more).
  void allow(std::optional<UnixUs> ttl_us) {
    ttl_us_ = ttl_us;
    if (!ttl_us_) copy_ends_.reset();
  }

  // Whether the read was saved.
  bool read(UnixUs at, NearTotals& totals) {
    if (!ttl_us_) return false;
    if (!copy_ends_ || at >= *copy_ends_) {
      copy_ends_ = at + *ttl_us_;
      is_overwritten_ = false;
      return false;
    }
    ++totals.saved;
    if (is_overwritten_) ++totals.stale;
    return true;
  }

  void write() { is_overwritten_ = true; }

 private:
  std::optional<UnixUs> ttl_us_;
  std::optional<UnixUs> copy_ends_;
  bool is_overwritten_ = false;
};

}  // namespace hotkeyd
