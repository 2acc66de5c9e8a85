// What an operator may set of the detector: rules, windows, limits. Rates are accesses per second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace hotkeyd {

enum class Admission { randomized, heavy_keeper };
enum class MatchKind { glob, regex, exact };

// Each way in that is set promotes on its own.
struct PromoteOptions {
  std::optional<double> rate;
  std::optional<double> writes;  // config/ fills the default (= rate where rate is set).
  std::optional<double> misses;
  std::optional<double> share;  // Fraction of the namespace's accesses, 0 to 1.
  double share_floor = 100;
  bool operator==(const PromoteOptions&) const = default;
};

struct DemoteOptions {
  std::optional<double> rate;  // Replaces the way out of `promote.rate` only.
  Duration after = std::chrono::seconds{5};
  bool operator==(const DemoteOptions&) const = default;
};

struct NearCacheOptions {
  Duration ttl = std::chrono::seconds{1};
  std::uint64_t max_value_bytes = 1 << 20;
  bool operator==(const NearCacheOptions&) const = default;
};
struct HotPoolOptions {
  std::uint32_t copies = 4;
  double at = 0;
  bool operator==(const HotPoolOptions&) const = default;
};
struct SplitOptions {
  std::uint32_t shards = 16;
  double at = 0;
  bool operator==(const SplitOptions&) const = default;
};
struct AlertOptions {
  double at = 0;
  bool operator==(const AlertOptions&) const = default;
};

struct RuleOptions {
  std::string name;
  MatchKind match_kind = MatchKind::glob;
  std::string pattern = "*";
  std::optional<std::string> ns;  // Restricts the rule to one namespace.
  Duration window{};              // Zero: the base window.
  PromoteOptions promote;
  DemoteOptions demote;
  std::optional<NearCacheOptions> near_cache = NearCacheOptions{};  // nullopt: off.
  std::optional<HotPoolOptions> hot_pool;
  std::optional<SplitOptions> split;
  std::optional<AlertOptions> alert;
  bool operator==(const RuleOptions&) const = default;
};

struct DetectorOptions {
  Duration window = std::chrono::seconds{1};
  std::uint32_t slots = 10;
  std::size_t memory_per_namespace = 2
                                     << 20;  // Buckets of one window's table: 448 bytes each, a power of two.
  std::size_t names_max = 4 << 20;           // Bytes of key names per namespace.
  std::size_t top_k = 1000;
  std::size_t hot_keys_max = 10'000;
  Admission admission = Admission::randomized;
  std::vector<RuleOptions> rules;
  std::size_t namespaces_max = 16;
  std::vector<std::string> namespaces;  // Not empty: these and no others.
  std::uint64_t seed = 0;               // Random in production, constant in tests.
};

// The embedded default: one rule `default`, match *, promote at 1000/s.
RuleOptions default_rule();

}  // namespace hotkeyd
