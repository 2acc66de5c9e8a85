#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <random>

namespace hotkeyd {

std::uint64_t KeyHash::operator()(std::string_view key) const {
  return XXH3_64bits_withSeed(key.data(), key.size(), seed_);
}

std::uint64_t random_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

std::uint64_t SeededHash::process_seed() {
  static const std::uint64_t seed = random_seed();
  return seed;
}

}  // namespace hotkeyd
