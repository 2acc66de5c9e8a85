#include "server/near_cache_totals.h"

#include <algorithm>
#include <utility>

namespace hotkeyd {
namespace {

// How much a running total grew; 0 when an older figure comes late.
std::uint64_t growth(std::uint64_t& total, std::uint64_t figure) {
  if (figure <= total) return 0;
  return figure - std::exchange(total, figure);
}

}  // namespace

void NearCacheTotals::add(const Report& report) {
  if (!report.near) return;
  Known& before = known(report);
  NearCacheStats& sum = by_namespace_[std::string(report.ns)];
  sum.hits += growth(before.hits, report.near->hits);
  sum.loads += growth(before.loads, report.near->loads);
}

NearCacheTotals::Known& NearCacheTotals::known(const Report& report) {
  std::string name(report.producer);
  name += ' ';
  name += report.ns;
  if (known_.size() >= producers_max_ && !known_.contains(name)) known_.erase(known_.begin());
  Known& out = known_[name];
  if (out.epoch == report.epoch) return out;
  const bool is_first_batch = report.seq == 1;
  out = {report.epoch, is_first_batch ? 0 : report.near->hits, is_first_batch ? 0 : report.near->loads};
  return out;
}

}  // namespace hotkeyd
