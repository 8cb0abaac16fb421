// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/simd.h"

namespace fastweights {

// x [count] in int8, with the largest magnitude at 127, nearest, ties to even;
// returns the scale. Where there is an infinity, codes are zero and the scale
// is infinite, so that products are NaN.
inline float QuantiseInt8(int count, const float* x, int8_t* codes) {
  F32x4 magnitudes = Splat(0.0f);
  int i = 0;
  for (; i + 4 <= count; i += 4) magnitudes = Max(magnitudes, Abs(Load(x + i)));
  float lanes[4];
  Store(lanes, magnitudes);
  float largest = *std::max_element(lanes, lanes + 4);
  for (; i < count; ++i) largest = std::max(largest, std::abs(x[i]));
  // Below this the inverse overflows; such values are zero for all purposes.
  const bool is_zero = !(largest > 1e-35f);
  if (is_zero || largest > std::numeric_limits<float>::max()) {
    std::fill_n(codes, count, int8_t{0});
    return is_zero ? 0.0f : largest;
  }
  const F32x4 inverse = Splat(127.0f / largest);
  const auto quantise = [&](const float* from, int8_t* to) {
    const auto scaled = [&](int j) { return Mul(Load(from + j), inverse); };
    StoreNearestI8(to, scaled(0), scaled(4), scaled(8), scaled(12));
  };
  for (i = 0; i + 16 <= count; i += 16) quantise(x + i, codes + i);
  if (i < count) {
    float rest[16] = {};
    int8_t rest_codes[16];
    std::copy(x + i, x + count, rest);
    quantise(rest, rest_codes);
    std::copy_n(rest_codes, count - i, codes + i);
  }
  return largest / 127.0f;
}

}  // namespace fastweights
