// SPDX-License-Identifier: MIT
#include "kernels/layer_norm.h"

#include <cmath>

#include "base/check.h"
#include "kernels/simd.h"

namespace fastweights {

void LayerNorm(int rows, int dim, const float* x, int x_stride,
               const float* weight, const float* bias, float epsilon,
               float* out, int out_stride) {
  DCHECK(dim % 4 == 0);
  for (int row = 0; row < rows; ++row, x += x_stride, out += out_stride) {
    F32x4 sum = Splat(0.0f);
    for (int i = 0; i < dim; i += 4) sum = Add(sum, Load(x + i));
    const F32x4 mean = Splat(Sum(sum) / static_cast<float>(dim));
    // Of the differences: the difference of sums would cancel.
    F32x4 squares = Splat(0.0f);
    for (int i = 0; i < dim; i += 4) {
      const F32x4 v = Sub(Load(x + i), mean);
      squares = MulAdd(v, v, squares);
    }
    const F32x4 scale = Splat(
        1.0f / std::sqrt(Sum(squares) / static_cast<float>(dim) + epsilon));
    for (int i = 0; i < dim; i += 4) {
      const F32x4 v = Mul(Sub(Load(x + i), mean), scale);
      const F32x4 w = Load(weight + i);
      Store(out + i,
            bias == nullptr ? Mul(v, w) : MulAdd(v, w, Load(bias + i)));
    }
  }
}

}  // namespace fastweights
