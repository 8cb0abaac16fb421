// SPDX-License-Identifier: MIT
#pragma once

// Dot products of int8 rows and whole factors: of a memory's pages and softmax
// weights, or queries.

#include <wasm_simd128.h>

#include <cstdint>

#include "kernels/simd/wasm_weight_dots.h"

namespace fastweights {

// As WideDot, of numbers row by row.
struct RowsDot {
  struct Rows {
    v128_t low, high;
  };
  struct Input {
    v128_t v;
  };
  struct Sums {
    v128_t low, high;  // rows 0 and 1, rows 2 and 3: two half sums a row
  };
  static Sums Begin() { return {wasm_i32x4_splat(0), wasm_i32x4_splat(0)}; }
  static Rows Of(I8x16 rows) {
    return {wasm_i16x8_extend_low_i8x16(rows.v),
            wasm_i16x8_extend_high_i8x16(rows.v)};
  }
  static Sums Add(Rows rows, Input x, Sums sums) {
    return {wasm_i32x4_add(sums.low, wasm_i32x4_dot_i16x8(rows.low, x.v)),
            wasm_i32x4_add(sums.high, wasm_i32x4_dot_i16x8(rows.high, x.v))};
  }
  static I32x4 End(Sums sums) {
    return {
        wasm_i32x4_add(wasm_i32x4_shuffle(sums.low, sums.high, 0, 2, 4, 6),
                       wasm_i32x4_shuffle(sums.low, sums.high, 1, 3, 5, 7))};
  }
};

// Products of sixteen int8 numbers - four rows of four columns - with four
// whole factors in [0, 16383], summed over the columns: lane r is row r. Exact
// while the sums fit. Factors take two bytes each.
// Wide: over 16-bit lanes.
struct WideFactorDot {
  using Rows = RowsDot::Rows;
  using Factors = RowsDot::Input;
  using Sums = RowsDot::Sums;
  static Sums Begin() { return RowsDot::Begin(); }
  // Four floats' nearest; at `to` go eight bytes.
  static void Store(uint8_t* to, F32x4 x) {
    const v128_t all = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x.v));
    wasm_v128_store64_lane(to, wasm_i16x8_narrow_i32x4(all, all), 0);
  }
  static Rows Of(I8x16 rows) { return RowsDot::Of(rows); }
  static Factors Load(const uint8_t* from) {
    return {wasm_v128_load64_splat(from)};
  }
  static Sums Add(Rows rows, Factors x, Sums sums) {
    return RowsDot::Add(rows, x, sums);
  }
  static I32x4 End(Sums sums) { return RowsDot::End(sums); }
};

#ifdef __wasm_relaxed_simd__
// Narrow: their upper and lower seven bits by themselves, whose relaxed dot
// product means the same everywhere.
struct NarrowHalvesDot {
  using Rows = I8x16;
  struct Factors {
    v128_t high, low;
  };
  struct Sums {
    v128_t high, low;
  };
  static Sums Begin() { return {wasm_i32x4_splat(0), wasm_i32x4_splat(0)}; }
  static void Store(uint8_t* to, F32x4 x) {
    const v128_t all = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x.v));
    const v128_t words = wasm_i16x8_narrow_i32x4(
        wasm_i32x4_shr(all, 7), wasm_v128_and(all, wasm_i32x4_splat(127)));
    wasm_v128_store64_lane(to, wasm_u8x16_narrow_i16x8(words, words), 0);
  }
  static Rows Of(I8x16 rows) { return rows; }
  static Factors Load(const uint8_t* from) {
    return {wasm_v128_load32_splat(from), wasm_v128_load32_splat(from + 4)};
  }
  static Sums Add(Rows rows, Factors x, Sums sums) {
    return {wasm_i32x4_relaxed_dot_i8x16_i7x16_add(rows.v, x.high, sums.high),
            wasm_i32x4_relaxed_dot_i8x16_i7x16_add(rows.v, x.low, sums.low)};
  }
  static I32x4 End(Sums sums) {
    return {wasm_i32x4_add(wasm_i32x4_shl(sums.high, 7), sums.low)};
  }
};
// Where V8 has no instruction for a relaxed dot product it takes five, two of
// them for a constant.
inline bool RelaxedDotIsOne() {
  return RelaxedDotOperand() != WideOperand::kSaturates;
}
#else
using NarrowHalvesDot = WideFactorDot;
inline bool RelaxedDotIsOne() { return false; }
#endif

// The same with factors that are a code of [0, 127] times a scale of [0, 256]
// that sixteen of them share, in Fours.
#ifdef __wasm_relaxed_simd__
// By the sums of pairs, whose step to 32 bits multiplies by the scale.
struct ShortFactorDot {
  // As vectors: V8 adds no offset to an address that it broadcasts from.
  struct Four {
    v128_t codes, scale;
  };
  using Sums = I32x4;
  // Whether sums have to be told where sixteen end.
  static constexpr bool kBySixteen = false;
  static Sums Begin() { return SplatI32(0); }
  // Sixteen codes, rounded to the nearest; of NaN come any.
  static void Store(Four* to, const F32x4 (&codes)[4], int scale) {
    const auto whole = [](F32x4 x) {
      return wasm_i32x4_relaxed_trunc_f32x4(wasm_f32x4_nearest(x.v));
    };
    const v128_t all = wasm_i8x16_narrow_i16x8(
        wasm_i16x8_narrow_i32x4(whole(codes[0]), whole(codes[1])),
        wasm_i16x8_narrow_i32x4(whole(codes[2]), whole(codes[3])));
    to[0].codes = wasm_i32x4_shuffle(all, all, 0, 0, 0, 0);
    to[1].codes = wasm_i32x4_shuffle(all, all, 1, 1, 1, 1);
    to[2].codes = wasm_i32x4_shuffle(all, all, 2, 2, 2, 2);
    to[3].codes = wasm_i32x4_shuffle(all, all, 3, 3, 3, 3);
    const v128_t scales = wasm_i16x8_splat(static_cast<int16_t>(scale));
    for (int i = 0; i < 4; ++i) to[i].scale = scales;
  }
  static Sums Add(I8x16 rows, const Four& x, Sums sums) {
    const v128_t pairs = wasm_i16x8_relaxed_dot_i8x16_i7x16(rows.v, x.codes);
    return {wasm_i32x4_add(sums.v, wasm_i32x4_dot_i16x8(pairs, x.scale))};
  }
  static I32x4 End(Sums sums) { return sums; }
};

// By the relaxed dot product, sixteen by themselves.
struct NarrowFactorDot : ShortFactorDot {
  struct Sums {
    v128_t sixteen, all;
  };
  static constexpr bool kBySixteen = true;
  static Sums Begin() { return {wasm_i32x4_splat(0), wasm_i32x4_splat(0)}; }
  static Sums Add(I8x16 rows, const Four& x, Sums sums) {
    return {
        wasm_i32x4_relaxed_dot_i8x16_i7x16_add(rows.v, x.codes, sums.sixteen),
        sums.all};
  }
  // `x` is any four of them.
  static Sums EndSixteen(const Four& x, Sums sums) {
    const v128_t scaled =
        wasm_i32x4_mul(sums.sixteen, wasm_u32x4_shr(x.scale, 16));
    return {wasm_i32x4_splat(0), wasm_i32x4_add(sums.all, scaled)};
  }
  static I32x4 End(Sums sums) { return {sums.all}; }
};
#else
struct NarrowFactorDot {
  struct Four {
    int16_t factors[4];
  };
  using Sums = RowsDot::Sums;
  static constexpr bool kBySixteen = false;
  static Sums Begin() { return RowsDot::Begin(); }
  static void Store(Four* to, const F32x4 (&codes)[4], int scale) {
    const auto whole = [=](F32x4 x) {
      return wasm_i32x4_mul(wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x.v)),
                            wasm_i32x4_splat(scale));
    };
    for (int i = 0; i < 4; i += 2) {
      wasm_v128_store(to + i, wasm_i16x8_narrow_i32x4(whole(codes[i]),
                                                      whole(codes[i + 1])));
    }
  }
  static Sums Add(I8x16 rows, const Four& x, Sums sums) {
    return RowsDot::Add(RowsDot::Of(rows), {wasm_v128_load64_splat(&x)}, sums);
  }
  static I32x4 End(Sums sums) { return RowsDot::End(sums); }
};
using ShortFactorDot = NarrowFactorDot;
#endif

}  // namespace fastweights
