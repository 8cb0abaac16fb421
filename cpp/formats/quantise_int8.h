// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/simd.h"

namespace fastweights {

// Below this the inverse of a scale overflows; such values are zero for all
// purposes.
inline constexpr float kLeastMagnitude = 1e-35f;

// The smallest and the largest of x [count] and zero; `excess` is NaN where one
// of them is no number, or infinite, and else zero.
struct Range {
  Range(int count, const float* x) {
    F32x4 lows = Splat(0.0f), highs = Splat(0.0f), sums = Splat(0.0f);
    int i = 0;
    for (; i + 4 <= count; i += 4) {
      const F32x4 v = Load(x + i);
      lows = Min(lows, v);
      highs = Max(highs, v);
      sums = Add(sums, Sub(v, v));
    }
    float lanes[4];
    Store(lanes, lows);
    low = *std::min_element(lanes, lanes + 4);
    Store(lanes, highs);
    high = *std::max_element(lanes, lanes + 4);
    excess = Sum(sums);
    for (; i < count; ++i) {
      low = std::min(low, x[i]);
      high = std::max(high, x[i]);
      excess += x[i] - x[i];
    }
  }
  float low, high, excess;
};

// codes = nearest of scaled(x), ties to even; `scaled` gives -128 to 127.
template <typename Scaled>
void StoreCodes(int count, const float* x, const Scaled& scaled,
                int8_t* codes) {
  const auto store = [&](const float* from, int8_t* to) {
    StoreNearestI8(to, scaled(Load(from)), scaled(Load(from + 4)),
                   scaled(Load(from + 8)), scaled(Load(from + 12)));
  };
  int i = 0;
  for (; i + 16 <= count; i += 16) store(x + i, codes + i);
  if (i < count) {
    float rest[16] = {};
    int8_t rest_codes[16];
    std::copy(x + i, x + count, rest);
    store(rest, rest_codes);
    std::copy_n(rest_codes, count - i, codes + i);
  }
}

// x [count] in int8 around zero, the largest magnitude at 127; returns the
// scale. Where there is an infinity or what is no number, codes are zero and
// the scale is NaN, so that no product is a number.
inline float QuantiseInt8(int count, const float* x, int8_t* codes) {
  const Range range(count, x);
  const float largest = std::max(-range.low, range.high);
  if (range.excess != 0 || !(largest > kLeastMagnitude)) {
    std::fill_n(codes, count, int8_t{0});
    return range.excess;
  }
  const F32x4 inverse = Splat(127.0f / largest);
  StoreCodes(
      count, x, [&](F32x4 v) { return Mul(v, inverse); }, codes);
  return largest / 127.0f;
}

// The same with a zero point, so that the range from the smallest to the
// largest takes all 256 codes.
inline float QuantiseInt8(int count, const float* x, int8_t* codes,
                          int32_t* zero_point) {
  const Range range(count, x);
  const float width = range.high - range.low;
  *zero_point = 0;
  // A range that is too wide for a float is infinite, which no product
  // survives.
  if (range.excess != 0 || !(width > kLeastMagnitude) || std::isinf(width)) {
    std::fill_n(codes, count, int8_t{0});
    return std::isinf(width) ? width : range.excess;
  }
  const float scale = 255.0f / width;
  const float zero = std::nearbyint(-128.0f - range.low * scale);
  *zero_point = static_cast<int32_t>(zero);
  const F32x4 inverse = Splat(scale), zeros = Splat(zero);
  const F32x4 least = Splat(-128.0f), most = Splat(127.0f);
  StoreCodes(
      count, x,
      [&](F32x4 v) {
        return Min(Max(Add(Mul(v, inverse), zeros), least), most);
      },
      codes);
  return width / 255.0f;
}

}  // namespace fastweights
