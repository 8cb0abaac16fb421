// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "formats/half.h"

namespace fastweights {

// What the quantisers of Q8_0, Q4_0 and Q5_0 share. They are those of ggml's
// reference (quantize_row_q8_0_ref and its kin), step by step in single
// precision, so that the same weights give the same bytes: a product and the
// sum that follows are two statements, which no compiler may fuse.
// A NaN among the values makes the block's scale NaN, an infinity infinite: no
// product with such a block is finite.

inline constexpr int kRoundedBlock = 32;

// The largest magnitude of x [32].
inline float LargestMagnitude(const float* x) {
  // As integers, floats without a sign keep their order, and NaN is above all.
  uint32_t largest = 0;
  for (int j = 0; j < kRoundedBlock; ++j) {
    uint32_t bits;
    std::memcpy(&bits, x + j, sizeof(bits));
    largest = std::max(largest, bits & 0x7fffffff);
  }
  return FloatFromBits(largest);
}

// 1 / scale, or 0 where that is no number to multiply with.
inline float InverseOf(float scale) {
  const float inverse = scale != 0.0f ? 1.0f / scale : 0.0f;
  return inverse <= std::numeric_limits<float>::max() &&
                 inverse >= -std::numeric_limits<float>::max()
             ? inverse
             : 0.0f;
}

// Codes [32] of x around `zero`, 0 to 2 zero - 1, stored in `codes`; returns
// the scale. The first value of the largest magnitude gets code 0, whatever its
// sign, which reaches one step further than the top code.
inline float RoundAround(int zero, const float* x, uint8_t* codes) {
  const float magnitude = LargestMagnitude(x);
  float largest = magnitude;
  for (int j = kRoundedBlock - 1; j >= 0 && magnitude > 0.0f; --j) {
    if (x[j] == magnitude || x[j] == -magnitude) largest = x[j];
  }
  const float scale = largest / static_cast<float>(-zero);
  const float inverse = InverseOf(scale);
  const float half_up = static_cast<float>(zero) + 0.5f;
  const float top = static_cast<float>(2 * zero - 1);
  for (int j = 0; j < kRoundedBlock; ++j) {
    const float scaled = x[j] * inverse;
    const float moved = scaled + half_up;
    // In this order NaN becomes 0.
    codes[j] = static_cast<uint8_t>(std::min(std::max(0.0f, moved), top));
  }
  return scale;
}

}  // namespace fastweights
