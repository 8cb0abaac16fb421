// SPDX-License-Identifier: MIT
#include "kernels/short_conv.h"

#include <cstring>

#include "base/check.h"
#include "kernels/exp.h"
#include "kernels/simd.h"

namespace fastweights {

void ShortConvSilu(int tokens, int channels, int width, const float* x,
                   const float* weight, float* state, float* out) {
  DCHECK(channels % 4 == 0 && width >= 2 && width <= kMaxConvWidth);
  const Exp exp;
  const int history = width - 1;
  // The input `age` rows after the oldest one that token 0 sees.
  const auto input = [&](int age) {
    return age < history ? state + age * channels
                         : x + (age - history) * channels;
  };
  for (int t = 0; t < tokens; ++t, out += channels) {
    const float* rows[kMaxConvWidth];
    for (int i = 0; i < width; ++i) rows[i] = input(t + i);
    for (int c = 0; c < channels; c += 4) {
      F32x4 sum = Splat(0.0f);
      for (int i = 0; i < width; ++i) {
        sum = MulAdd(Load(weight + i * channels + c), Load(rows[i] + c), sum);
      }
      Store(out + c, Mul(sum, exp.Sigmoid(sum)));
    }
  }
  // Oldest first, so a row is read before it is overwritten.
  for (int i = 0; i < history; ++i) {
    const float* from = input(tokens + i);
    float* to = state + i * channels;
    if (from != to) std::memmove(to, from, sizeof(float) * channels);
  }
}

}  // namespace fastweights
