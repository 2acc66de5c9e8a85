// What one access adds to a key's packed counters. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sdk/cpp/src/access_table.h"

namespace hotkeyd::sdk {

inline constexpr std::uint64_t kSecond = std::uint64_t{1} << 32;  // One in the upper half of a packed word.

inline std::uint64_t capped(std::size_t bytes) { return std::min<std::uint64_t>(bytes, 0xffff'ffffU); }

inline Increment read_of(std::size_t bytes) {
  return {.reads_misses = 1, .writes_locals = 0, .bytes = capped(bytes)};
}
inline Increment write_of(std::size_t bytes) {
  return {.reads_misses = 0, .writes_locals = 1, .bytes = capped(bytes)};
}
inline Increment miss() { return {.reads_misses = kSecond + 1, .writes_locals = 0, .bytes = 0}; }
inline Increment local_hit_of(std::size_t bytes) {
  return {.reads_misses = 1, .writes_locals = kSecond, .bytes = capped(bytes)};
}
// A read answered in this process: there is nothing.
inline Increment local_miss() { return {.reads_misses = kSecond + 1, .writes_locals = kSecond, .bytes = 0}; }

}  // namespace hotkeyd::sdk
