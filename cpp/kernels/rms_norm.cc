// SPDX-License-Identifier: MIT
#include "kernels/rms_norm.h"

#include <cmath>

#include "base/check.h"
#include "kernels/exp.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

float SumOfSquares(int dim, const float* x) {
  F32x4 sums = Splat(0.0f);
  int i = 0;
  for (; i + 4 <= dim; i += 4) {
    const F32x4 v = Load(x + i);
    sums = MulAdd(v, v, sums);
  }
  float sum = Sum(sums);
  for (; i < dim; ++i) sum += x[i] * x[i];
  return sum;
}

float InverseRms(int dim, const float* x, float epsilon) {
  return 1.0f /
         std::sqrt(SumOfSquares(dim, x) / static_cast<float>(dim) + epsilon);
}

}  // namespace

void RmsNorm(int rows, int dim, const float* x, int x_stride,
             const float* weight, float epsilon, float* out, int out_stride) {
  for (int row = 0; row < rows; ++row, x += x_stride, out += out_stride) {
    const float scale = InverseRms(dim, x, epsilon);
    const F32x4 scales = Splat(scale);
    int i = 0;
    for (; i + 4 <= dim; i += 4) {
      const F32x4 norm = Mul(Load(x + i), scales);
      Store(out + i, weight != nullptr ? Mul(norm, Load(weight + i)) : norm);
    }
    for (; i < dim; ++i) {
      out[i] = x[i] * scale * (weight != nullptr ? weight[i] : 1.0f);
    }
  }
}

void AddRmsNorm(int rows, int dim, float scale, float* x, const float* weight,
                float epsilon, float* out) {
  DCHECK(dim % 4 == 0);
  const F32x4 factor = Splat(scale);
  for (int row = 0; row < rows; ++row, x += dim, out += dim) {
    for (int i = 0; i < dim; i += 4) {
      Store(x + i, MulAdd(Load(out + i), factor, Load(x + i)));
    }
    RmsNorm(1, dim, x, dim, weight, epsilon, out, dim);
  }
}

void RmsNormGated(int rows, int dim, const float* x, int x_stride,
                  const float* weight, float epsilon, float* gate,
                  int gate_stride) {
  DCHECK(dim % 4 == 0);
  const Exp exp;
  for (int row = 0; row < rows; ++row, x += x_stride, gate += gate_stride) {
    const F32x4 scale = Splat(InverseRms(dim, x, epsilon));
    for (int i = 0; i < dim; i += 4) {
      const F32x4 g = Load(gate + i);
      const F32x4 silu = Mul(g, exp.Sigmoid(g));
      const F32x4 norm = Mul(Mul(Load(x + i), scale), Load(weight + i));
      Store(gate + i, Mul(norm, silu));
    }
  }
}

void L2Normalise(int rows, int dim, float* x, int stride, float epsilon,
                 float scale) {
  DCHECK(dim % 4 == 0);
  for (int row = 0; row < rows; ++row, x += stride) {
    const F32x4 factor =
        Splat(scale / std::sqrt(SumOfSquares(dim, x) + epsilon));
    for (int i = 0; i < dim; i += 4) {
      Store(x + i, Mul(Load(x + i), factor));
    }
  }
}

}  // namespace fastweights
