// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/simd.h"

namespace fastweights {

// The largest magnitude in x [count], NaN where a number is not finite; count a
// multiple of 4.
inline float LargestMagnitude(int count, const float* x) {
  F32x4 largest = Splat(0.0f), nothing = Splat(0.0f);
  for (int i = 0; i < count; i += 4) {
    const F32x4 four = Load(x + i);
    largest = Max(largest, Abs(four));
    nothing = MulAdd(four, Splat(0.0f), nothing);
  }
  return Largest(largest) + Sum(nothing);
}

}  // namespace fastweights
