#include <algorithm>

#include "detector/window_kernels.h"
#include "detector/window_kernels_impl.h"

namespace hotkeyd {
namespace {

struct PlainIsa {
  static std::uint32_t mask(const SignedLanes& flags) {
    std::uint32_t mask = 0;
    for (std::uint32_t lane = 0; lane < 8; ++lane)
      mask |= static_cast<std::uint32_t>(flags[lane]) & 1U << lane;
    return mask;
  }

  static std::uint32_t smallest(const Lanes& lanes) {
    std::uint32_t smallest = lanes[0];
    for (std::uint32_t lane = 1; lane < 8; ++lane) smallest = std::min(smallest, lanes[lane]);
    return smallest;
  }

  static void limit(const Lanes& lanes, std::uint32_t most, Lanes& limited) {
    const Lanes limits = Lanes{} + most;
    limited = lanes < limits ? lanes : limits;
  }
};

}  // namespace

const WindowKernels kPlainKernels = {Kernels<PlainIsa>::probe, Kernels<PlainIsa>::admit,
                                     Kernels<PlainIsa>::rotate};

}  // namespace hotkeyd
