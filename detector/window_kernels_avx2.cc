#include "detector/window_kernels.h"
// Everything that is not ours comes before the pragma: a shared inline function compiled for AVX2 here could
// be the copy that the linker keeps for all.
#include "detector/window_lane.h"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif

#include "detector/window_kernels_impl.h"

namespace hotkeyd {
namespace {

struct Avx2Isa {
  static std::uint32_t mask(const SignedLanes& flags) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<const __m256&>(flags)));
  }

  static std::uint32_t smallest(const Lanes& lanes) {
    const auto& all = reinterpret_cast<const __m256i&>(lanes);
    __m128i least = _mm_min_epu32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0x4e));
    least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0xb1));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(least));
  }

  static void limit(const Lanes& lanes, std::uint32_t most, Lanes& limited) {
    const __m256i limits = _mm256_set1_epi32(static_cast<int>(most));
    reinterpret_cast<__m256i&>(limited) = _mm256_min_epu32(reinterpret_cast<const __m256i&>(lanes), limits);
  }
};

constexpr WindowKernels kAvx2Kernels = {Kernels<Avx2Isa>::probe, Kernels<Avx2Isa>::admit,
                                        Kernels<Avx2Isa>::rotate};

}  // namespace
}  // namespace hotkeyd

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace hotkeyd {

const WindowKernels& best_kernels() {
  static const bool has_avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return has_avx2 ? kAvx2Kernels : kPlainKernels;
}

}  // namespace hotkeyd

#else

namespace hotkeyd {

const WindowKernels& best_kernels() { return kPlainKernels; }

}  // namespace hotkeyd

#endif
