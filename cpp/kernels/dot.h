// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/simd.h"

namespace fastweights {

// a . b, both [dim]; dim a multiple of 4.
inline float Dot(int dim, const float* a, const float* b) {
  F32x4 sum = Splat(0.0f);
  for (int i = 0; i < dim; i += 4) sum = MulAdd(Load(a + i), Load(b + i), sum);
  return Sum(sum);
}

}  // namespace fastweights
