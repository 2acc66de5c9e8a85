// Keys for a hash flood: made for a hash whose seed is known (0), where all of them fall into one bucket.
// Under a seed that the attacker does not know they must be like any others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"

namespace hotkeyd {

inline std::string flood_key(std::uint64_t number) {
  std::string digits = std::to_string(number);
  return "flood:" + std::string(12 - digits.size(), '0') + digits;
}

// `buckets` is a power of two.
inline std::vector<std::string> crafted_keys(std::size_t count, std::uint64_t buckets) {
  const KeyHash known(0);
  std::vector<std::string> keys;
  for (std::uint64_t number = 0; keys.size() < count; ++number) {
    std::string key = flood_key(number);
    if ((known(key) & (buckets - 1)) == 0) keys.push_back(std::move(key));
  }
  return keys;
}

// As many keys of the same length, not chosen.
inline std::vector<std::string> ordinary_keys(std::size_t count) {
  std::vector<std::string> keys;
  for (std::uint64_t number = 0; keys.size() < count; ++number) keys.push_back(flood_key(number * 4099));
  return keys;
}

}  // namespace hotkeyd
