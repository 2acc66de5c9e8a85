// A small seeded generator (wyrand): the only dice in the product, so that every run can be repeated.
#pragma once

#include <cstdint>

namespace hotkeyd {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0xa0761d6478bd642fULL;
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(state_) * (state_ ^ 0xe7037ed1a0b428dbULL);
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }

  // Uniform in [0, bound), bound > 0, with a bias below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(
        (static_cast<std::uint64_t>(static_cast<std::uint32_t>(next())) * bound) >> 32);
  }

  // Uniform in [0, 1).
  double fraction() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace hotkeyd
