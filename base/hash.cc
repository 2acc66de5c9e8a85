#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <random>

namespace hotkeyd {
namespace {

// XXH3 branches on the length, and a mix of lengths makes most of its time mispredicted branches.
enum LengthClass : std::size_t { to_8, to_16, to_32, longer_than_32, length_classes };

constexpr std::size_t kChunk = 64;

class Rows {
 public:
  Rows(const std::string_view* first, std::size_t stride)
      : bytes_(reinterpret_cast<const char*>(first)), stride_(stride) {}
  std::string_view operator[](std::size_t row) const {
    return *reinterpret_cast<const std::string_view*>(bytes_ + row * stride_);
  }

 private:
  const char* bytes_;
  std::size_t stride_;
};

// Row numbers by the class of their key's length. Appending writes first and decides afterwards, without a
// branch.
struct Sorted {
  std::array<std::array<std::uint8_t, kChunk + 1>, length_classes> rows;
  std::array<std::size_t, length_classes> sizes{};

  Sorted(const Rows& keys, std::size_t from, std::size_t size) {
    std::size_t to8 = 0;
    std::size_t to16 = 0;
    std::size_t to32 = 0;
    std::size_t longer = 0;
    for (std::size_t row = 0; row < size; ++row) {
      const std::size_t length = keys[from + row].size();
      __builtin_prefetch(keys[from + row].data());
      rows[to_8][to8] = rows[to_16][to16] = rows[to_32][to32] = rows[longer_than_32][longer] =
          static_cast<std::uint8_t>(row);
      to8 += static_cast<std::size_t>(length <= 8);
      to16 += static_cast<std::size_t>((length > 8) & (length <= 16));
      to32 += static_cast<std::size_t>((length > 16) & (length <= 32));
      longer += static_cast<std::size_t>(length > 32);
    }
    sizes = {to8, to16, to32, longer};
  }
};

}  // namespace

std::uint64_t KeyHash::operator()(std::string_view key) const {
  return XXH3_64bits_withSeed(key.data(), key.size(), seed_);
}

void KeyHash::hash_rows(const std::string_view* first, std::size_t stride,
                        std::span<std::uint64_t> hashes) const {
  const Rows keys(first, stride);
  for (std::size_t from = 0; from < hashes.size(); from += kChunk) {
    const std::size_t size = std::min(kChunk, hashes.size() - from);
    const Sorted sorted(keys, from, size);
    const auto hash_class = [&](LengthClass length, std::size_t shortest, std::size_t longest) {
      for (std::size_t at = 0; at < sorted.sizes[length]; ++at) {
        const std::size_t row = from + sorted.rows[length][at];
        const std::string_view key = keys[row];
        if (key.size() < shortest || key.size() > longest) __builtin_unreachable();
        hashes[row] = XXH3_64bits_withSeed(key.data(), key.size(), seed_);
      }
    };
    hash_class(to_8, 0, 8);
    hash_class(to_16, 9, 16);
    hash_class(to_32, 17, 32);
    hash_class(longer_than_32, 33, SIZE_MAX);
  }
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
