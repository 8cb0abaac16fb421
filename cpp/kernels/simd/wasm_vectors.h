// SPDX-License-Identifier: MIT
#pragma once

// Vectors of WebAssembly SIMD128, with a relaxed instruction where the build
// has it.

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "kernels/pair_sums.h"
#include "kernels/simd/constants.h"

namespace fastweights {

struct F32x4 {
  v128_t v;
};
struct I32x4 {
  v128_t v;
};
struct I16x8 {
  v128_t v;
};
struct I8x16 {
  v128_t v;
};

inline F32x4 Load(const float* from) { return {wasm_v128_load(from)}; }
inline void Store(float* to, F32x4 x) { wasm_v128_store(to, x.v); }
inline F32x4 Splat(float x) { return {wasm_f32x4_splat(x)}; }
inline F32x4 Add(F32x4 a, F32x4 b) { return {wasm_f32x4_add(a.v, b.v)}; }
inline F32x4 Sub(F32x4 a, F32x4 b) { return {wasm_f32x4_sub(a.v, b.v)}; }
inline F32x4 Mul(F32x4 a, F32x4 b) { return {wasm_f32x4_mul(a.v, b.v)}; }
inline F32x4 Div(F32x4 a, F32x4 b) { return {wasm_f32x4_div(a.v, b.v)}; }
inline F32x4 Min(F32x4 a, F32x4 b) { return {wasm_f32x4_pmin(a.v, b.v)}; }
inline F32x4 Max(F32x4 a, F32x4 b) { return {wasm_f32x4_pmax(a.v, b.v)}; }
inline F32x4 Abs(F32x4 a) { return {wasm_f32x4_abs(a.v)}; }
inline F32x4 Negative(F32x4 a) { return {wasm_f32x4_neg(a.v)}; }

// a * b + c. May or may not round in between: never compare builds bit by bit.
inline F32x4 MulAdd(F32x4 a, F32x4 b, F32x4 c) {
#ifdef __wasm_relaxed_simd__
  return {wasm_f32x4_relaxed_madd(a.v, b.v, c.v)};
#else
  return {wasm_f32x4_add(wasm_f32x4_mul(a.v, b.v), c.v)};
#endif
}

inline float Sum(F32x4 a) {
  const v128_t pairs =
      wasm_f32x4_add(a.v, wasm_i32x4_shuffle(a.v, a.v, 2, 3, 0, 1));
  return wasm_f32x4_extract_lane(pairs, 0) + wasm_f32x4_extract_lane(pairs, 1);
}

inline float Largest(F32x4 a) {
  const v128_t pairs =
      wasm_f32x4_pmax(a.v, wasm_i32x4_shuffle(a.v, a.v, 2, 3, 0, 1));
  const float x = wasm_f32x4_extract_lane(pairs, 0);
  const float y = wasm_f32x4_extract_lane(pairs, 1);
  return x < y ? y : x;
}

// 2^n of n + kExponentOfOne, for whole n in [-126, 127].
inline F32x4 PowerOfTwo(F32x4 n) { return {wasm_i32x4_shl(n.v, 23)}; }

inline I8x16 LoadI8(const int8_t* from) { return {wasm_v128_load(from)}; }
inline F32x4 ToFloat(I32x4 a) { return {wasm_f32x4_convert_i32x4(a.v)}; }
inline F32x4 BitsToFloat(I32x4 a) { return {a.v}; }

inline I32x4 SplatI32(int32_t x) { return {wasm_i32x4_splat(x)}; }
inline I32x4 Add(I32x4 a, I32x4 b) { return {wasm_i32x4_add(a.v, b.v)}; }
inline I32x4 Sub(I32x4 a, I32x4 b) { return {wasm_i32x4_sub(a.v, b.v)}; }
inline I32x4 Mul(I32x4 a, I32x4 b) { return {wasm_i32x4_mul(a.v, b.v)}; }
inline I32x4 LoadI32(const int32_t* from) { return {wasm_v128_load(from)}; }
inline void StoreI32(int32_t* to, I32x4 x) { wasm_v128_store(to, x.v); }
// x[i] has lane j of what was x[j] in lane i.
inline void Transpose(I32x4 (&x)[4]) {
  const v128_t a = wasm_i32x4_shuffle(x[0].v, x[1].v, 0, 4, 1, 5);
  const v128_t b = wasm_i32x4_shuffle(x[2].v, x[3].v, 0, 4, 1, 5);
  const v128_t c = wasm_i32x4_shuffle(x[0].v, x[1].v, 2, 6, 3, 7);
  const v128_t d = wasm_i32x4_shuffle(x[2].v, x[3].v, 2, 6, 3, 7);
  x[0] = {wasm_i64x2_shuffle(a, b, 0, 2)};
  x[1] = {wasm_i64x2_shuffle(a, b, 1, 3)};
  x[2] = {wasm_i64x2_shuffle(c, d, 0, 2)};
  x[3] = {wasm_i64x2_shuffle(c, d, 1, 3)};
}
inline I8x16 LoadU8(const uint8_t* from) { return {wasm_v128_load(from)}; }
inline void StoreI8(int8_t* to, I8x16 x) { wasm_v128_store(to, x.v); }
inline I8x16 SplatI8(int8_t x) { return {wasm_i8x16_splat(x)}; }
inline I8x16 And(I8x16 a, I8x16 b) { return {wasm_v128_and(a.v, b.v)}; }
inline I8x16 Or(I8x16 a, I8x16 b) { return {wasm_v128_or(a.v, b.v)}; }
inline I8x16 Xor(I8x16 a, I8x16 b) { return {wasm_v128_xor(a.v, b.v)}; }
// Shifts of 16-bit lanes: mask what comes over from the neighbouring byte.
template <int kBits>
inline I8x16 ShiftRight16(I8x16 a) {
  return {wasm_u16x8_shr(a.v, kBits)};
}
template <int kBits>
inline I8x16 ShiftLeft16(I8x16 a) {
  return {wasm_i16x8_shl(a.v, kBits)};
}
// table[index], index in [0, 15].
inline I8x16 Lookup(I8x16 table, I8x16 index) {
#ifdef __wasm_relaxed_simd__
  return {wasm_i8x16_relaxed_swizzle(table.v, index.v)};
#else
  return {wasm_i8x16_swizzle(table.v, index.v)};
#endif
}

// Four IEEE half-precision numbers; infinities and NaN come out as large
// finite numbers. The constants are kHalfMask and kHalfScale.
inline F32x4 LoadHalf4(const uint16_t* from, I32x4 mask, F32x4 scale) {
  // Widened with their signs and moved up, of which the top bit stays.
  const v128_t moved = wasm_i32x4_shl(wasm_i32x4_load16x4(from), 13);
  // Moves the exponent from bias 15 to 127, subnormals included.
  return {wasm_f32x4_mul(wasm_v128_and(moved, mask.v), scale.v)};
}

// The same by twice the steps without multiplying subnormals, which costs x86
// some 150 cycles each: for weights, where a scale may take the chance. The
// constants are 0x7fff, 112 << 23 and the bits of 2^-14, from where the
// compiler cannot see them: V8 rebuilds a constant vector at every use in a
// loop, a load it hoists.
class HalfLoader {
 public:
  explicit HalfLoader(const uint32_t* constants)
      : magnitude_(wasm_v128_load32_splat(constants)),
        bias_(wasm_v128_load32_splat(constants + 1)),
        least_(wasm_v128_load32_splat(constants + 2)) {}

  F32x4 operator()(const uint16_t* from) const {
    const v128_t bits = wasm_u32x4_load16x4(from);
    const v128_t magnitude = wasm_v128_and(bits, magnitude_);
    const v128_t sign = wasm_i32x4_shl(wasm_v128_xor(bits, magnitude), 16);
    // A subnormal becomes 2^-15 (1 + f) where it should be 2^-14 f: too much by
    // what it is short of 2^-14.
    const v128_t moved = wasm_i32x4_add(wasm_i32x4_shl(magnitude, 13), bias_);
    const v128_t excess =
        wasm_f32x4_sub(least_, wasm_f32x4_pmin(moved, least_));
    return {wasm_v128_or(wasm_f32x4_sub(moved, excess), sign)};
  }

 private:
  v128_t magnitude_, bias_, least_;
};

// Four bfloat16 numbers: the upper halves of floats.
inline F32x4 LoadBfloat4(const uint16_t* from) {
  return {wasm_i32x4_shl(wasm_u32x4_load16x4(from), 16)};
}

// Of the first two of each four bytes, and of the others.
inline PairSums SumPairs(I8x16 a) {
  const v128_t pairs = wasm_i16x8_extadd_pairwise_i8x16(a.v);
  const v128_t twos =
      wasm_i16x8_add(pairs, wasm_i32x4_shuffle(pairs, pairs, 2, 3, 0, 1));
  const v128_t sums =
      wasm_i16x8_add(twos, wasm_i32x4_shuffle(twos, twos, 1, 0, 3, 2));
  return {static_cast<int16_t>(wasm_i16x8_extract_lane(sums, 0)),
          static_cast<int16_t>(wasm_i16x8_extract_lane(sums, 1))};
}

// Eight 16-bit numbers, or bytes widened to them; or two, four times.
inline I16x8 LoadI16(const int16_t* from) { return {wasm_v128_load(from)}; }
inline void StoreI16(int16_t* to, I16x8 x) { wasm_v128_store(to, x.v); }
inline I16x8 WidenI8x8(const uint8_t* from) {
  return {wasm_i16x8_load8x8(from)};
}
inline I16x8 SplatPair(const PairSums* from) {
  return {wasm_v128_load32_splat(from)};
}
// a[2 i] b[2 i] + a[2 i + 1] b[2 i + 1].
inline I32x4 DotPairs(I16x8 a, I16x8 b) {
  return {wasm_i32x4_dot_i16x8(a.v, b.v)};
}

// One lane, in all four. `lane` is to be known where this is compiled.
inline v128_t LaneOf(v128_t x, int lane) {
  switch (lane) {
    case 0:
      return wasm_i32x4_shuffle(x, x, 0, 0, 0, 0);
    case 1:
      return wasm_i32x4_shuffle(x, x, 1, 1, 1, 1);
    case 2:
      return wasm_i32x4_shuffle(x, x, 2, 2, 2, 2);
    default:
      return wasm_i32x4_shuffle(x, x, 3, 3, 3, 3);
  }
}
inline F32x4 Lane(F32x4 x, int lane) { return {LaneOf(x.v, lane)}; }
inline I32x4 Lane(I32x4 x, int lane) { return {LaneOf(x.v, lane)}; }

// Eight int8 numbers, each twice.
inline void LoadPairs(const uint8_t* from, I16x8* low, I16x8* high) {
  const v128_t words = wasm_i16x8_load8x8(from);
  *low = {wasm_i16x8_shuffle(words, words, 0, 0, 1, 1, 2, 2, 3, 3)};
  *high = {wasm_i16x8_shuffle(words, words, 4, 4, 5, 5, 6, 6, 7, 7)};
}
inline I16x8 SplatI16(int16_t x) { return {wasm_i16x8_splat(x)}; }

// Eight int8 numbers, widened.
inline void LoadI8x8(const uint8_t* from, I32x4* low, I32x4* high) {
  const v128_t words = wasm_i16x8_load8x8(from);
  *low = {wasm_i32x4_extend_low_i16x8(words)};
  *high = {wasm_i32x4_extend_high_i16x8(words)};
}

// Nearest int8 of sixteen floats in [-127, 127], ties to even.
inline void StoreNearestI8(int8_t* to, F32x4 a, F32x4 b, F32x4 c, F32x4 d) {
  const auto whole = [](F32x4 x) {
    return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x.v));
  };
  wasm_v128_store(
      to, wasm_i8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(whole(a), whole(b)),
                                  wasm_i16x8_narrow_i32x4(whole(c), whole(d))));
}

}  // namespace fastweights
