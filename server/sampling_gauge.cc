#include "server/sampling_gauge.h"

namespace hotkeyd {

void SamplingGauge::add(std::uint64_t counted, double factor, Time now) {
  const Duration passed = now - begun_;
  if (passed >= kLength) {
    before_ = passed < 2 * kLength ? running_ : Sums{};
    running_ = {};
    begun_ = now;
  }
  running_.counted += static_cast<double>(counted);
  running_.scaled += static_cast<double>(counted) * factor;
}

double SamplingGauge::value(Time now) const {
  if (now - begun_ >= 2 * kLength) return 1;
  const double counted = running_.counted + before_.counted;
  return counted == 0 ? 1 : (running_.scaled + before_.scaled) / counted;
}

}  // namespace hotkeyd
