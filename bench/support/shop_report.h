// What a run of the shop showed, as figures, and as lines for people or for scripts.
//
// Pure but for reading the notes, which must be those of processes that have ended.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/support/shop.h"

namespace hotkeyd {

struct ShopFigures {
  double before_reads = 0;  // Of the wanted product a second, and
  double before_redis = 0;  // those of them that reached Redis, by its own count.
  double after_reads = 0;
  double after_redis = 0;
  double hit_ratio = 0;
  double before_p99_us = 0;
  double after_p99_us = 0;
  double known_ms = 0;           // From the end of the kill switch to the last process that knew.
  std::vector<double> alone_ms;  // How long writes without an invalidation were not seen everywhere, sorted.
  std::vector<double> gone_ms;   // From an invalidation to the last process without the old value, sorted.
  std::size_t writes = 0;        // Invalidations sent: as many as gone_ms where all were seen.
  std::uint64_t went_back = 0;   // Old values after a new one.

  double redis_share() const { return before_redis > 0 ? after_redis / before_redis : 1; }
};

// The value that `share` of the sorted ones do not exceed; 0 of none.
double quantile(std::span<const double> sorted, double share);
// In microseconds, of all processes.
double p99_us(std::span<const ShopNotes> notes, std::size_t which);
// When each version was seen by all processes, minus when it was sent; sorted, without those not seen.
std::vector<double> delays_ms(std::span<const ShopNotes> notes, std::uint64_t first_version,
                              std::span<const std::int64_t> sent_ns);

std::string shop_text(const ShopFigures& figures);
std::string shop_values(const ShopFigures& figures);  // "name value" lines.
// What was promised and not seen; empty when all was. Times have no say but that all came within a second.
std::vector<std::string> broken_promises(const ShopFigures& figures);

}  // namespace hotkeyd
