// SPDX-License-Identifier: MIT
#pragma once

// The twin of wasm_factor_dots.h for other builds.

#include <cstdint>
#include <cstring>

#include "kernels/simd/portable_weight_dots.h"

namespace fastweights {

// As WideDot, of numbers row by row.
struct RowsDot {
  using Input = WideDot::Input;
  using Sums = I32x4;
  static Sums Begin() { return SplatI32(0); }
  static Sums Add(const I8x16& rows, const Input& x, Sums sums) {
    for (int i = 0; i < 16; ++i) sums.v[i / 4] += rows.v[i] * x.v[i % 4];
    return sums;
  }
  static I32x4 End(Sums sums) { return sums; }
};

struct WideFactorDot {
  using Rows = I8x16;
  using Factors = RowsDot::Input;
  using Sums = I32x4;
  static Sums Begin() { return SplatI32(0); }
  static void Store(uint8_t* to, F32x4 x) {
    int16_t codes[4];
    for (int i = 0; i < 4; ++i) {
      // NaN becomes 0, as it does there.
      codes[i] =
          static_cast<int16_t>(x.v[i] == x.v[i] ? __builtin_rintf(x.v[i]) : 0);
    }
    std::memcpy(to, codes, sizeof(codes));
  }
  static Factors Load(const uint8_t* from) {
    Factors x;
    std::memcpy(x.v, from, sizeof(x.v));
    return x;
  }
  static Rows Of(I8x16 rows) { return rows; }
  static Sums Add(Rows rows, Factors x, Sums sums) {
    return RowsDot::Add(rows, x, sums);
  }
  static I32x4 End(Sums sums) { return sums; }
};

using NarrowHalvesDot = WideFactorDot;
inline bool RelaxedDotIsOne() { return false; }

struct NarrowFactorDot {
  using Four = RowsDot::Input;
  using Sums = I32x4;
  static constexpr bool kBySixteen = false;
  static Sums Begin() { return SplatI32(0); }
  static void Store(Four* to, const F32x4 (&codes)[4], int scale) {
    for (int i = 0; i < 16; ++i) {
      const float x = codes[i / 4].v[i % 4];
      const int code = x == x ? static_cast<int>(__builtin_rintf(x)) : 0;
      to[i / 4].v[i % 4] = static_cast<int16_t>(code * scale);
    }
  }
  static Sums Add(I8x16 rows, const Four& x, Sums sums) {
    return RowsDot::Add(rows, x, sums);
  }
  static I32x4 End(Sums sums) { return sums; }
};

using ShortFactorDot = NarrowFactorDot;

}  // namespace fastweights
