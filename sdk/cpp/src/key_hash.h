// The keyed hash of the SDK: wyhash's multiply-and-fold with both multiplicands masked by random secrets.
//
// The daemon's XXH3 would be a dependency for applications. Keys are hostile: with published secrets a key
// can be chosen whose product is zero under every seed, so both secrets come from the seed. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/random.h"

namespace hotkeyd::sdk {

class SdkHash {
 public:
  // `seed` is drawn at random, once per client.
  explicit SdkHash(std::uint64_t seed) {
    Random random(seed);
    seed_ = random.next();
    secret_ = random.next() | 1;
  }

  std::uint64_t operator()(std::string_view key) const {
    const char* at = key.data();
    std::size_t left = key.size();
    std::uint64_t state = seed_;
    for (; left > 16; left -= 16, at += 16)
      state = fold(load<std::uint64_t>(at) ^ secret_, load<std::uint64_t>(at + 8) ^ state);
    const Tail tail = key.size() > 16 ? last16(at + left) : up_to16(at, left);
    return fold(secret_ ^ key.size(), fold(tail.a ^ secret_, tail.b ^ state));
  }

 private:
  struct Tail {
    std::uint64_t a;
    std::uint64_t b;
  };

  template <typename T>
  static std::uint64_t load(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  static std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(x) * y;
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }
  static Tail last16(const char* end) {
    return {load<std::uint64_t>(end - 16), load<std::uint64_t>(end - 8)};
  }
  static Tail up_to16(const char* at, std::size_t size) {
    if (size >= 8) return {load<std::uint64_t>(at), load<std::uint64_t>(at + size - 8)};
    if (size >= 4) return {load<std::uint32_t>(at), load<std::uint32_t>(at + size - 4)};
    if (size == 0) return {0, 0};
    return {load<std::uint8_t>(at) << 8 | load<std::uint8_t>(at + size / 2),
            load<std::uint8_t>(at + size - 1)};
  }

  std::uint64_t seed_ = 0;
  std::uint64_t secret_ = 0;
};

}  // namespace hotkeyd::sdk
