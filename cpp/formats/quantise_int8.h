// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/simd.h"

namespace fastweights {

// Below this the inverse of a scale overflows; such values are zero for all
// purposes.
inline constexpr float kLeastMagnitude = 1e-35f;

// The smallest and the largest of x [count] and zero.
struct Range {
  Range(int count, const float* x) {
    F32x4 lows = Splat(0.0f), highs = Splat(0.0f);
    int i = 0;
    for (; i + 4 <= count; i += 4) {
      lows = Min(lows, Load(x + i));
      highs = Max(highs, Load(x + i));
    }
    float lanes[4];
    Store(lanes, lows);
    low = *std::min_element(lanes, lanes + 4);
    Store(lanes, highs);
    high = *std::max_element(lanes, lanes + 4);
    for (; i < count; ++i) {
      low = std::min(low, x[i]);
      high = std::max(high, x[i]);
    }
  }
  float low, high;
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
// scale. Where there is an infinity, codes are zero and the scale is infinite,
// so that no product is finite.
inline float QuantiseInt8(int count, const float* x, int8_t* codes) {
  const Range range(count, x);
  const float largest = std::max(-range.low, range.high);
  const bool is_zero = !(largest > kLeastMagnitude);
  if (is_zero || largest > std::numeric_limits<float>::max()) {
    std::fill_n(codes, count, int8_t{0});
    return is_zero ? 0.0f : largest;
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
  const bool is_zero = !(width > kLeastMagnitude);
  *zero_point = 0;
  if (is_zero || width > std::numeric_limits<float>::max()) {
    std::fill_n(codes, count, int8_t{0});
    return is_zero ? 0.0f : width;
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
