#include "cli/zipf.h"

#include <algorithm>
#include <cmath>

namespace hotkeyd {
namespace {

// log1p(x) / x and expm1(x) / x, with their limits at 0.
double log1p_ratio(double x) { return std::fabs(x) > 1e-8 ? std::log1p(x) / x : 1 - x / 2; }
double expm1_ratio(double x) { return std::fabs(x) > 1e-8 ? std::expm1(x) / x : 1 + x / 2; }

}  // namespace

ZipfSampler::ZipfSampler(std::uint64_t size, double exponent)
    : size_(static_cast<double>(size)),
      exponent_(exponent),
      low_(integral(1.5) - 1),
      high_(integral(size_ + 0.5)),
      accept_(2 - integral_inverse(integral(2.5) - weight(2))) {}

double ZipfSampler::weight(double x) const { return std::exp(-exponent_ * std::log(x)); }

double ZipfSampler::integral(double x) const {
  const double log_x = std::log(x);
  return expm1_ratio((1 - exponent_) * log_x) * log_x;
}

double ZipfSampler::integral_inverse(double y) const {
  const double t = std::max(-1.0, y * (1 - exponent_));
  return std::exp(log1p_ratio(t) * y);
}

std::uint64_t ZipfSampler::sample(Random& random) const {
  while (true) {
    const double y = high_ + random.fraction() * (low_ - high_);
    const double x = integral_inverse(y);
    const double rank = std::clamp(std::floor(x + 0.5), 1.0, size_);
    if (rank - x <= accept_ || y >= integral(rank + 0.5) - weight(rank))
      return static_cast<std::uint64_t>(rank);
  }
}

}  // namespace hotkeyd
