// SPDX-License-Identifier: MIT
#include "kernels/rope.h"

#include <cmath>

#include "kernels/simd.h"

namespace fastweights {

void RopeAngles(int tokens, int position, int rotary_dim, float base,
                float* cos, float* sin) {
  const int pairs = rotary_dim / 2;
  for (int i = 0; i < pairs; ++i) {
    // In double: at position 100 000 a float angle is off by 4e-3 radians.
    const double frequency = std::pow(double{base}, -2.0 * i / rotary_dim);
    for (int t = 0; t < tokens; ++t) {
      const double angle = (static_cast<double>(position) + t) * frequency;
      cos[t * pairs + i] = static_cast<float>(std::cos(angle));
      sin[t * pairs + i] = static_cast<float>(std::sin(angle));
    }
  }
}

void Rope(int heads, int rotary_dim, RopePairs order, const float* cos,
          const float* sin, float* x, int head_stride) {
  const int pairs = rotary_dim / 2;
  for (int h = 0; h < heads; ++h) {
    float* first = x + h * head_stride;
    if (order == RopePairs::kNeighbours) {
      for (int i = 0; i < pairs; ++i) {
        const float a = first[2 * i], b = first[2 * i + 1];
        first[2 * i] = a * cos[i] - b * sin[i];
        first[2 * i + 1] = b * cos[i] + a * sin[i];
      }
      continue;
    }
    float* second = first + pairs;
    int i = 0;
    for (; i + 4 <= pairs; i += 4) {
      const F32x4 a = Load(first + i), b = Load(second + i);
      const F32x4 c = Load(cos + i), s = Load(sin + i);
      Store(first + i, Sub(Mul(a, c), Mul(b, s)));
      Store(second + i, MulAdd(b, c, Mul(a, s)));
    }
    for (; i < pairs; ++i) {
      const float a = first[i], b = second[i];
      first[i] = a * cos[i] - b * sin[i];
      second[i] = b * cos[i] + a * sin[i];
    }
  }
}

}  // namespace fastweights
