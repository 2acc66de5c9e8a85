#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <random>

namespace hotkeyd {
namespace {

// XXH3 branches on the length, and a mix of lengths makes most of its time mispredicted branches: rows are
// taken by the class of their key's length, 64 at a time.
constexpr std::size_t kChunk = 64;

class Rows {
 public:
  Rows(const std::string_view* first, std::size_t stride)
      : bytes_(reinterpret_cast<const char*>(first)), stride_(stride) {}
  const std::string_view& operator[](std::size_t row) const {
    return *reinterpret_cast<const std::string_view*>(bytes_ + row * stride_);
  }

 private:
  const char* bytes_;
  std::size_t stride_;
};

// The lengths of 64 keys, cut at 127, a byte each.
class Lengths {
 public:
  void set(std::size_t row, std::size_t length) {
    bytes_[row] = static_cast<std::uint8_t>(std::min<std::size_t>(length, 127));
  }

  // One bit for each row, eight rows at a time: a byte's highest bit says whether it is longer, and the
  // multiplication gathers the eight of them.
  std::uint64_t longer_than(std::uint64_t limit) const {
    constexpr std::uint64_t kEach = 0x0101010101010101;
    std::uint64_t rows = 0;
    for (std::size_t at = 0; at < kChunk; at += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, &bytes_[at], sizeof eight);
      if constexpr (std::endian::native == std::endian::big) eight = __builtin_bswap64(eight);
      const std::uint64_t longer = (eight + (127 - limit) * kEach) >> 7 & kEach;
      rows |= (longer * 0x0102040810204080) >> 56 << at;
    }
    return rows;
  }

 private:
  std::array<std::uint8_t, kChunk> bytes_{};
};

}  // namespace

std::uint64_t KeyHash::operator()(std::string_view key) const {
  return XXH3_64bits_withSeed(key.data(), key.size(), seed_);
}

void KeyHash::hash_rows(const std::string_view* first, std::size_t stride,
                        std::span<std::uint64_t> hashes) const {
  for (std::size_t from = 0; from < hashes.size(); from += kChunk) {
    const Rows keys(&Rows(first, stride)[from], stride);
    const std::size_t size = std::min(kChunk, hashes.size() - from);
    Lengths lengths;
    for (std::size_t row = 0; row < size; ++row) {
      lengths.set(row, keys[row].size());
      __builtin_prefetch(keys[row].data());
    }
    const auto hash_class = [&](std::uint64_t rows, std::size_t shortest, std::size_t longest) {
      for (; rows != 0; rows &= rows - 1) {
        const auto row = static_cast<std::size_t>(std::countr_zero(rows));
        const std::string_view key = keys[row];
        if (key.size() < shortest || key.size() > longest) __builtin_unreachable();
        hashes[from + row] = XXH3_64bits_withSeed(key.data(), key.size(), seed_);
      }
    };
    const std::uint64_t all = ~std::uint64_t{0} >> (kChunk - size);
    const std::uint64_t from9 = lengths.longer_than(8);
    const std::uint64_t from17 = lengths.longer_than(16);
    const std::uint64_t from33 = lengths.longer_than(32);
    hash_class(all & ~from9, 0, 8);
    hash_class(from9 & ~from17, 9, 16);
    hash_class(from17 & ~from33, 17, 32);
    hash_class(from33, 33, SIZE_MAX);
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
