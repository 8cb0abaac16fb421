// SPDX-License-Identifier: MIT
#include "kernels/softmax.h"

#include <cmath>

#include "base/check.h"
#include "kernels/exp.h"
#include "kernels/simd.h"

namespace fastweights {

void Softmax(int dim, float scale, const float* x, float* out) {
  DCHECK(dim > 0 && dim % 4 == 0 && scale >= 0.0f);
  F32x4 lanes = Load(x);
  for (int i = 4; i < dim; i += 4) lanes = Max(lanes, Load(x + i));
  const F32x4 largest = Splat(Largest(lanes));
  const Exp exp;
  F32x4 sum = Splat(0.0f);
  for (int i = 0; i < dim; i += 4) {
    const F32x4 e = exp(Mul(Splat(scale), Sub(Load(x + i), largest)));
    sum = Add(sum, e);
    Store(out + i, e);
  }
  const F32x4 inverse = Splat(1.0f / Sum(sum));
  for (int i = 0; i < dim; i += 4) Store(out + i, Mul(Load(out + i), inverse));
}

float SumExp(int count, float top, const float* x) {
  const Exp exp;
  F32x4 sums[2] = {Splat(0.0f), Splat(0.0f)};
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    sums[0] = Add(sums[0], exp(Sub(Load(x + i), Splat(top))));
    sums[1] = Add(sums[1], exp(Sub(Load(x + i + 4), Splat(top))));
  }
  float sum = Sum(Add(sums[0], sums[1]));
  for (; i < count; ++i) sum += std::exp(x[i] - top);
  return sum;
}

}  // namespace fastweights
