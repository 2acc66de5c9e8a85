// Key numbers as traffic has them: key k (from 0) with a frequency of (k + 1)^-exponent. Seeded.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace hotkeyd {

class Zipf {
 public:
  Zipf(std::size_t keys, double exponent, std::uint64_t seed) : cumulated_(keys), random_(seed) {
    double sum = 0;
    for (std::size_t key = 0; key < keys; ++key) {
      sum += std::pow(static_cast<double>(key + 1), -exponent);
      cumulated_[key] = sum;
    }
  }

  std::size_t draw() {
    const double wanted = random_.fraction() * cumulated_.back();
    const auto found = std::upper_bound(cumulated_.begin(), cumulated_.end(), wanted);
    return std::min(static_cast<std::size_t>(found - cumulated_.begin()), cumulated_.size() - 1);
  }

 private:
  std::vector<double> cumulated_;
  Random random_;
};

// How many of a steady key's accesses fall into one interval: Poisson with this mean (Knuth, so for small
// means).
inline std::uint64_t poisson(double mean, Random& random) {
  const double limit = std::exp(-mean);
  std::uint64_t count = 0;
  for (double product = random.fraction(); product > limit; product *= random.fraction()) ++count;
  return count;
}

}  // namespace hotkeyd
