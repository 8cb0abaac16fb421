// SPDX-License-Identifier: MIT
#include "kernels/finite.h"

#include "kernels/simd.h"

namespace fastweights {

bool AllFinite(size_t count, const float* x) {
  // A number less itself is zero; what is no number stays what it is.
  F32x4 sums[4];
  for (F32x4& sum : sums) sum = Splat(0.0f);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    for (int j = 0; j < 4; ++j) {
      const F32x4 v = Load(x + i + 4 * j);
      sums[j] = Add(sums[j], Sub(v, v));
    }
  }
  float rest = Sum(Add(Add(sums[0], sums[1]), Add(sums[2], sums[3])));
  for (; i < count; ++i) rest += x[i] - x[i];
  return rest == 0;
}

}  // namespace fastweights
