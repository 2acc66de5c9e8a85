// Sums the near caches' figures that reports carry (NEAR), per namespace.
//
// A producer sends running totals; what it had before this process knew it is not counted again. Bounded: at
// most `producers_max` (producer, namespace) pairs are remembered; a forgotten one starts anew with its next
// figures. Pure; one thread (data).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "base/hash.h"
#include "server/stats.h"
#include "wire/report.h"

namespace hotkeyd {

class NearCacheTotals {
 public:
  explicit NearCacheTotals(std::size_t producers_max = 10'000) : producers_max_(producers_max) {}

  // Of a batch that counts.
  void add(const Report& report);
  const std::map<std::string, NearCacheStats>& by_namespace() const { return by_namespace_; }

 private:
  struct Known {
    std::uint64_t epoch = 0;
    std::uint64_t hits = 0;
    std::uint64_t loads = 0;
  };

  Known& known(const Report& report);

  std::size_t producers_max_;
  std::unordered_map<std::string, Known, SeededHash, std::equal_to<>> known_;
  std::map<std::string, NearCacheStats> by_namespace_;
};

}  // namespace hotkeyd
