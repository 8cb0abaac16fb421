// SPDX-License-Identifier: MIT
#include "kernels/token_shift.h"

#include "base/check.h"
#include "kernels/simd.h"

namespace fastweights {

void TokenShift(int rows, int dim, const float* previous, const float* x,
                const float* mix, const float* extra, float* out) {
  DCHECK(dim % 4 == 0);
  for (int row = 0; row < rows; ++row, previous = x, x += dim, out += dim) {
    if (extra != nullptr) {
      for (int i = 0; i < dim; i += 4) {
        const F32x4 now = Load(x + i);
        const F32x4 weight = Add(Load(mix + i), Load(extra + i));
        Store(out + i, MulAdd(Sub(Load(previous + i), now), weight, now));
      }
      extra += dim;
      continue;
    }
    for (int i = 0; i < dim; i += 4) {
      const F32x4 now = Load(x + i);
      const F32x4 weight = Load(mix + i);
      Store(out + i, MulAdd(Sub(Load(previous + i), now), weight, now));
    }
  }
}

}  // namespace fastweights
