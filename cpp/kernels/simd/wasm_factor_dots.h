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

// The same with factors of [0, 127], a byte each.
#ifdef __wasm_relaxed_simd__
struct NarrowFactorDot {
  using Factors = I8x16;
  using Sums = I32x4;
  static Sums Begin() { return SplatI32(0); }
  // Sixteen floats' nearest. Of NaN come any.
  static void Store(int8_t* to, F32x4 a, F32x4 b, F32x4 c, F32x4 d) {
    const auto whole = [](F32x4 x) {
      return wasm_i32x4_relaxed_trunc_f32x4(wasm_f32x4_nearest(x.v));
    };
    wasm_v128_store(to, wasm_i8x16_narrow_i16x8(
                            wasm_i16x8_narrow_i32x4(whole(a), whole(b)),
                            wasm_i16x8_narrow_i32x4(whole(c), whole(d))));
  }
  static Factors Load(const int8_t* from) {
    return {wasm_v128_load32_splat(from)};
  }
  static Sums Add(I8x16 rows, Factors x, Sums sums) {
    return {wasm_i32x4_relaxed_dot_i8x16_i7x16_add(rows.v, x.v, sums.v)};
  }
  static I32x4 End(Sums sums) { return sums; }
};
// By the sums of pairs, of which V8 makes three instructions there.
struct ShortFactorDot : NarrowFactorDot {
  static Sums Add(I8x16 rows, Factors x, Sums sums) {
    const v128_t pairs = wasm_i16x8_relaxed_dot_i8x16_i7x16(rows.v, x.v);
    return {wasm_i32x4_add(sums.v, wasm_i32x4_extadd_pairwise_i16x8(pairs))};
  }
};
#else
struct NarrowFactorDot {
  using Factors = RowsDot::Input;
  using Sums = RowsDot::Sums;
  static Sums Begin() { return RowsDot::Begin(); }
  static void Store(int8_t* to, F32x4 a, F32x4 b, F32x4 c, F32x4 d) {
    StoreNearestI8(to, a, b, c, d);
  }
  static Factors Load(const int8_t* from) {
    return {wasm_i16x8_extend_low_i8x16(wasm_v128_load32_splat(from))};
  }
  static Sums Add(I8x16 rows, Factors x, Sums sums) {
    return RowsDot::Add(RowsDot::Of(rows), x, sums);
  }
  static I32x4 End(Sums sums) { return RowsDot::End(sums); }
};
using ShortFactorDot = NarrowFactorDot;
#endif

}  // namespace fastweights
