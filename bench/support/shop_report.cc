#include "bench/support/shop_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hotkeyd {
namespace {

constexpr double kRedisShareMax = 0.05;  // The bar.
constexpr double kGoneMax = 1000;        // ms

}  // namespace

double quantile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return 0;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(at, sorted.size() - 1)];
}

double p99_us(std::span<const ShopNotes> notes, std::size_t which) {
  std::vector<double> times;
  for (const ShopNotes& one : notes) {
    for (const std::uint32_t ns : one.times(which)) times.push_back(ns / 1000.0);
  }
  std::sort(times.begin(), times.end());
  return quantile(times, 0.99);
}

std::vector<double> delays_ms(std::span<const ShopNotes> notes, std::uint64_t first_version,
                              std::span<const std::int64_t> sent_ns) {
  std::vector<double> delays;
  for (std::size_t i = 0; i < sent_ns.size(); ++i) {
    std::int64_t last = 0;
    bool is_seen = true;
    for (const ShopNotes& one : notes) {
      const std::int64_t seen = one.seen_ns[first_version + i];
      is_seen = is_seen && seen != 0;
      last = std::max(last, seen);
    }
    if (is_seen) delays.push_back(static_cast<double>(std::max<std::int64_t>(0, last - sent_ns[i])) / 1e6);
  }
  std::sort(delays.begin(), delays.end());
  return delays;
}

std::string shop_text(const ShopFigures& figures) {
  const auto& gone = figures.gone_ms;
  const auto measured = [](const char* when, double reads, double redis, double p99) {
    return fmt::format("{:<14}{:6.0f} reads a second, {:6.1f} of them reach Redis; p99 of a read {:.1f} us\n",
                       when, reads, redis, p99);
  };
  return measured("switched off", figures.before_reads, figures.before_redis, figures.before_p99_us) +
         fmt::format("switched on   all processes know after {:.0f} ms that the key is hot\n",
                     figures.known_ms) +
         measured("near cache", figures.after_reads, figures.after_redis, figures.after_p99_us) +
         fmt::format("              {:.2f} % of before reach Redis (bar: at most 5 %), hit ratio {:.2f} %\n",
                     100 * figures.redis_share(), 100 * figures.hit_ratio) +
         fmt::format("a write       the old value is served for up to {:.0f} ms (the rule's ttl: 1000 ms)\n",
                     quantile(figures.alone_ms, 1)) +
         fmt::format(
             "+ invalidate  it is gone in all processes after {:.2f} ms, p99 {:.2f} ms (bar: at most 10 "
             "ms)\n",
             quantile(gone, 0.5), quantile(gone, 0.99)) +
         fmt::format("              {} of {} such writes came everywhere; old values served afterwards: {}\n",
                     gone.size(), figures.writes, figures.went_back);
}

std::string shop_values(const ShopFigures& figures) {
  const std::pair<const char*, double> values[] = {{"before_reads_per_second", figures.before_reads},
                                                   {"before_redis_per_second", figures.before_redis},
                                                   {"after_reads_per_second", figures.after_reads},
                                                   {"after_redis_per_second", figures.after_redis},
                                                   {"redis_percent", 100 * figures.redis_share()},
                                                   {"hit_percent", 100 * figures.hit_ratio},
                                                   {"before_p99_us", figures.before_p99_us},
                                                   {"after_p99_us", figures.after_p99_us},
                                                   {"alone_max_ms", quantile(figures.alone_ms, 1)},
                                                   {"gone_p50_us", 1000 * quantile(figures.gone_ms, 0.5)},
                                                   {"gone_p99_us", 1000 * quantile(figures.gone_ms, 0.99)},
                                                   {"went_back", static_cast<double>(figures.went_back)}};
  std::string text;
  for (const auto& [name, value] : values) text += fmt::format("{} {:.3f}\n", name, value);
  return text;
}

std::vector<std::string> broken_promises(const ShopFigures& figures) {
  std::vector<std::string> broken;
  if (figures.before_redis < figures.before_reads / 2)
    broken.emplace_back("before, most reads should have reached Redis");
  if (figures.redis_share() > kRedisShareMax)
    broken.emplace_back("more than 5 % of the reads still reach Redis");
  if (figures.gone_ms.size() != figures.writes || quantile(figures.gone_ms, 1) > kGoneMax)
    broken.emplace_back("an invalidation did not arrive everywhere within a second");
  if (figures.went_back != 0) broken.emplace_back("an old value was served after a new one");
  return broken;
}

}  // namespace hotkeyd
