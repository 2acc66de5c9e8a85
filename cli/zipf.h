// Draws ranks from 1 to n, rank k with a weight of k^-exponent.
//
// Rejection-inversion (Hörmann and Derflinger, "Rejection-inversion to generate variates from monotone
// discrete distributions", 1996): no table, constant memory, for any n and exponent >= 0 about 1.1 draws a
// rank at most. Pure; one thread.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace hotkeyd {

class ZipfSampler {
 public:
  // `size` at least 1.
  ZipfSampler(std::uint64_t size, double exponent);

  std::uint64_t sample(Random& random) const;

 private:
  double weight(double x) const;    // x^-exponent
  double integral(double x) const;  // Of weight, from 1.
  double integral_inverse(double y) const;

  double size_;
  double exponent_;
  double low_;     // integral(1.5) - 1
  double high_;    // integral(size + 0.5)
  double accept_;  // A draw this close to its rank needs no second look.
};

}  // namespace hotkeyd
