// Eight 32-bit lanes, one AVX2 register or two of SSE: the shape of everything in a bucket.
//
// The vector extension of GCC and Clang is plain C++ to the reader and compiles for every processor, so that
// the code for AVX2 and the code for all others is one source (`window_kernels_impl.h`) and cannot disagree.
// Pass by reference only: the calling convention of such a value depends on the processor compiled for.
#pragma once

#include <cstdint>

namespace hotkeyd {

using Lanes = std::uint32_t __attribute__((vector_size(32)));
using SignedLanes = std::int32_t __attribute__((vector_size(32)));
using LaneBytes = std::uint8_t __attribute__((vector_size(8)));

}  // namespace hotkeyd
