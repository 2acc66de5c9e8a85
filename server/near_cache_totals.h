// Sums the near caches' figures that reports carry (NEAR), per namespace.
//
// A producer sends running totals; what it had before this process knew it is not counted again. Its entries,
// bytes and oldest copy are those of its newest batch; they count while that is not older than kLive, so that
// producers that ended leave nothing behind. Bounded: at most `producers_max` (producer, namespace) pairs are
// remembered; a forgotten one starts anew with its next figures. Pure, virtual time; one thread (data).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/hash.h"
#include "server/stats.h"
#include "wire/report.h"

namespace hotkeyd {

class NearCacheTotals {
 public:
  static constexpr Duration kLive = std::chrono::seconds{10};

  explicit NearCacheTotals(std::size_t producers_max = 10'000) : producers_max_(producers_max) {}

  // Of a batch that counts.
  void add(const Report& report, Time now);
  std::map<std::string, NearCacheStats> by_namespace(Time now) const;

 private:
  struct Known {
    std::uint64_t epoch = 0;
    std::uint64_t seq = 0;    // The largest; `latest` came with it, at `at`.
    NearCacheFigures latest;  // Its hits and loads: the largest.
    Time at{};
    std::string ns;
  };

  Known& known(const Report& report);

  std::size_t producers_max_;
  std::unordered_map<std::string, Known, SeededHash, std::equal_to<>> known_;
  std::map<std::string, NearCacheStats> by_namespace_;
};

}  // namespace hotkeyd
