// The keyed hash of cache keys.
//
// Keys are hostile: an unseeded hash (libstdc++'s, or XXH3 with a known seed) lets one tenant build keys
// that all collide. Every map, table and sketch keyed by a cache key hashes with a random seed of the
// process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hotkeyd {

class KeyHash {
 public:
  constexpr explicit KeyHash(std::uint64_t seed) : seed_(seed) {}

  // XXH3 of the bytes under the seed.
  std::uint64_t operator()(std::string_view key) const;

  // The same of `hashes.size()` keys that lie `stride` bytes apart, as members of an array of rows: a third
  // faster, since keys of like length are hashed one after the other, and more where their bytes are not in
  // the cache.
  void hash_rows(const std::string_view* first, std::size_t stride, std::span<std::uint64_t> hashes) const;

 private:
  std::uint64_t seed_;
};

// A seed nobody can predict. For edges only.
std::uint64_t random_seed();

// The hash of standard containers keyed by cache keys; lookups take a string_view.
struct SeededHash {
  using is_transparent = void;
  std::uint64_t seed = process_seed();
  std::size_t operator()(std::string_view key) const { return KeyHash{seed}(key); }

  // Drawn once per process. Only the order of a container depends on it, never a decision.
  static std::uint64_t process_seed();
};

}  // namespace hotkeyd
