// SPDX-License-Identifier: MIT
#pragma once

// Integer sums of 32 bits, a row each.

#include <cstdint>

#include "kernels/simd/vectors.h"

namespace fastweights {

struct LaneSums {
  using Sums = I32x4;
  static int32_t Start(int first, int second) { return first + second; }
  static Sums From(I32x4 start) { return start; }
  static void LoadScales(const uint8_t* eight, I32x4* low, I32x4* high) {
    LoadI8x8(eight, low, high);
  }
  static I32x4 AddScaled(Sums sums, I32x4 scale, I32x4 total) {
    return Add(total, Mul(sums, scale));
  }
};

}  // namespace fastweights
