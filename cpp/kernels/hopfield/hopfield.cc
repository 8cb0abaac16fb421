// SPDX-License-Identifier: MIT
#include "kernels/hopfield/hopfield.h"

#include "base/check.h"
#include "kernels/simd.h"
#include "kernels/softmax.h"

namespace fastweights {
namespace {

// Twice scaled up and cut off: the least denormal comes to 1 that way, and 0
// stays 0.
F32x4 Sign(F32x4 x) {
  const F32x4 large = Splat(0x1p126f), one = Splat(1.0f), minus = Splat(-1.0f);
  for (int i = 0; i < 2; ++i) x = Max(Min(Mul(x, large), one), minus);
  return x;
}

}  // namespace

void Separate(Separation separation, int rows, int dim,
              const SeparationArgs& args) {
  DCHECK(dim > 0 && dim % 4 == 0);
  const float* x = args.x;
  float* out = args.out;
  for (int row = 0; row < rows;
       ++row, x += args.x_stride, out += args.out_stride) {
    switch (separation) {
      case Separation::kLinear:
        for (int i = 0; i < dim; i += 4) Store(out + i, Load(x + i));
        break;
      case Separation::kSign:
        for (int i = 0; i < dim; i += 4) Store(out + i, Sign(Load(x + i)));
        break;
      case Separation::kSoftmax:
        Softmax(dim, args.beta, x, out);
        break;
    }
  }
}

}  // namespace fastweights
