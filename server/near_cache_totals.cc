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

std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

}  // namespace

void NearCacheTotals::add(const Report& report, Time now) {
  if (!report.near) return;
  Known& before = known(report);
  NearCacheStats& sum = by_namespace_[before.ns];
  sum.hits += growth(before.latest.hits, report.near->hits);
  sum.loads += growth(before.latest.loads, report.near->loads);
  if (report.seq < before.seq) return;
  before.seq = report.seq;
  before.at = now;
  before.latest.entries = report.near->entries;
  before.latest.bytes = report.near->bytes;
  before.latest.oldest_ms = report.near->oldest_ms;
}

NearCacheTotals::Known& NearCacheTotals::known(const Report& report) {
  std::string name(report.producer);
  name += ' ';
  name += report.ns;
  if (known_.size() >= producers_max_ && !known_.contains(name)) known_.erase(known_.begin());
  const auto [at, is_new] = known_.try_emplace(std::move(name));
  Known& out = at->second;
  if (!is_new && out.epoch == report.epoch) return out;
  out = {};
  out.epoch = report.epoch;
  out.ns = report.ns;
  if (report.seq != 1) out.latest = *report.near;
  return out;
}

std::map<std::string, NearCacheStats> NearCacheTotals::by_namespace(Time now) const {
  std::map<std::string, NearCacheStats> out = by_namespace_;
  for (const auto& [name, producer] : known_) {
    if (now - producer.at > kLive) continue;
    NearCacheStats& sum = out[producer.ns];
    sum.entries = add_saturating(sum.entries, producer.latest.entries);
    sum.bytes = add_saturating(sum.bytes, producer.latest.bytes);
    sum.oldest_ms = std::max(sum.oldest_ms, producer.latest.oldest_ms);
  }
  return out;
}

}  // namespace hotkeyd
