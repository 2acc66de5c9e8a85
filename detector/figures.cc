#include "detector/figures.h"

#include <algorithm>
#include <cmath>

#include "detector/thresholds.h"

namespace hotkeyd {
namespace {

double share_of(std::uint64_t count, std::uint64_t total) {
  if (total == 0) return 0;
  return std::min(1.0, static_cast<double>(count) / static_cast<double>(total));
}

bool exceeds_a_fifth(std::uint64_t part, std::uint64_t whole) { return 5 * part > whole; }

}  // namespace

KeyFigures figures_of(const WindowSums& sums, const WindowScale& scale) {
  const double length = seconds(scale.length);
  const double exact_rate = static_cast<double>(sums.count) / length;
  const double rate = std::round(exact_rate);
  const double unknown =
      static_cast<double>(sums.missed_max) + sums.sampling_error + static_cast<double>(scale.lost);
  KeyFigures figures;
  figures.count = sums.count;
  figures.reads = sums.reads;
  figures.writes = sums.writes;
  figures.misses = sums.misses;
  figures.local_hits = sums.local_hits;
  figures.bytes = sums.bytes;
  figures.rate = static_cast<std::uint64_t>(rate);
  figures.error = static_cast<std::uint64_t>(std::ceil(unknown / length + std::abs(rate - exact_rate)));
  figures.share = share_of(sums.count, scale.total);
  figures.sample = static_cast<std::uint32_t>(std::ceil(sums.factor_max));
  return figures;
}

KeyClass class_of(const WindowSums& sums, const Rule* rule) {
  const bool many_writes = exceeds_a_fifth(sums.writes, sums.count);
  const bool reaches_writes =
      rule && rule->thresholds().writes && sums.writes >= rule->thresholds().writes->in;
  if (many_writes && reaches_writes) return KeyClass::write;
  if (2 * sums.misses > sums.reads) return KeyClass::miss;
  return many_writes ? KeyClass::mixed : KeyClass::read;
}

std::optional<NearCacheOptions> near_cache_of(KeyClass key_class, const WindowSums& sums, const Rule* rule) {
  if (key_class != KeyClass::read && key_class != KeyClass::miss) return std::nullopt;
  const std::optional<NearCacheOptions> offered = rule ? rule->options().near_cache : NearCacheOptions{};
  if (!offered) return std::nullopt;
  const double mean = sums.count == 0 ? 0 : static_cast<double>(sums.bytes) / static_cast<double>(sums.count);
  if (mean > static_cast<double>(offered->max_value_bytes)) return std::nullopt;
  return offered;
}

}  // namespace hotkeyd
