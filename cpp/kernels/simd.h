// SPDX-License-Identifier: MIT
#pragma once

// The only file with SIMD intrinsics: four floats, sixteen bytes and int8
// dot products over WebAssembly SIMD128 (and relaxed SIMD where the build
// has it), with a portable twin that native builds and sanitizers run.
// Comments name lanes from the lowest address up.

#ifdef FASTWEIGHTS_WITHOUT_SIMD
#error \
    "A source that is compiled once for all builds: kSimdMatters in builds.cmake lacks it"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/pair_sums.h"

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace fastweights {

// Floats of this size are whole numbers, so adding it rounds; and the last bits
// of the sum are the exponent of 2^n for the whole number n that was added.
inline constexpr float kExponentOfOne = 0x1.8p23f + 127;

// Whether MulAdd is one instruction: two take a register between them.
#ifdef __wasm_relaxed_simd__
inline constexpr bool kMulAddIsOne = true;
#else
inline constexpr bool kMulAddIsOne = false;
#endif

#ifdef __wasm_simd128__

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
inline constexpr int32_t kHalfMask = static_cast<int32_t>(0x8fffe000);
inline constexpr float kHalfScale = 0x1p112f;
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

// Sums of 32 bits, a row each.
struct LaneSums {
  using Sums = I32x4;
  static int32_t Start(int first, int second) { return first + second; }
  static Sums From(I32x4 start) { return start; }
  static void LoadScales(const uint8_t* eight, I32x4* low, I32x4* high) {
    LoadI8x8(eight, low, high);
  }
  static I32x4 AddScaled(Sums sums, I32x4 scale, I32x4 total) {
    return Add(total, Mul(sums, scale));
  }
};

// Products of sixteen int8 weights - four rows of four columns - with four
// input columns, summed over the columns: lane r is row r. Exact.
// Sums of a run of columns may be multiplied by whole numbers as they are added
// up (AddScaled): by an int8 a row (LoadScales). Such runs begin at a number in
// memory (From), which is what Start makes of a multiple of the input's
// PairSums.
// Wide: over 16-bit lanes, in every engine. The weights lie in pairs of
// columns: two of each row, then the other two of each, so that both pairs add
// to one vector of sums; row by row they would take two, and V8 has fifteen.
struct WideDot : LaneSums {
  using Code = int16_t;
  using Stored = int8_t;
  struct Weights {
    v128_t first, second;
  };
  struct Input {
    v128_t first, second;
  };
  // The sums are Add after Add on what Begin gives, and End of them; both know
  // what the sums start at.
  static Sums Begin(I32x4 start) { return start; }
  static Weights Of(I8x16 codes) {
    return {wasm_i16x8_extend_low_i8x16(codes.v),
            wasm_i16x8_extend_high_i8x16(codes.v)};
  }
  static Weights Load(const int8_t* codes) {
    return {wasm_i16x8_load8x8(codes), wasm_i16x8_load8x8(codes + 8)};
  }
  static Input LoadInput(const Code* from) {
    return {wasm_v128_load32_splat(from), wasm_v128_load32_splat(from + 2)};
  }
  // Of four tokens, side by side.
  using Inputs = const Code*;
  static Inputs LoadInputs(const Code* from) { return from; }
  static Input InputOf(Inputs x, int token) { return LoadInput(x + 4 * token); }
  static Sums Add(Weights w, Input x, Sums sums) {
    const v128_t first = wasm_i32x4_dot_i16x8(w.first, x.first);
    const v128_t second = wasm_i32x4_dot_i16x8(w.second, x.second);
    return {wasm_i32x4_add(wasm_i32x4_add(sums.v, first), second)};
  }
  // kQuads of them, one after the other.
  template <int kQuads>
  static Sums Add(const Weights* w, const Input* x, Sums sums) {
    for (int i = 0; i < kQuads; ++i) sums = Add(w[i], x[i], sums);
    return sums;
  }
  static I32x4 End(Sums sums, I32x4) { return sums; }
};

// The same of weights that have been multiplied by their scales, in 16 bits.
struct ScaledDot : WideDot {
  using Stored = int16_t;
  static Weights Load(const Stored* from) {
    return {wasm_v128_load(from), wasm_v128_load(from + 8)};
  }
  // (code - zero) * scale of sixteen, within 2^15; scales as LoadPairs has
  // them.
  static void StoreWeights(I8x16 codes, I16x8 zero, I16x8 scales, Stored* to) {
    const Weights w = Of(codes);
    wasm_v128_store(to,
                    wasm_i16x8_mul(wasm_i16x8_sub(w.first, zero.v), scales.v));
    wasm_v128_store(to + 8,
                    wasm_i16x8_mul(wasm_i16x8_sub(w.second, zero.v), scales.v));
  }
};

#ifdef __wasm_relaxed_simd__
// What the engine's relaxed int8 dot product makes of a second operand outside
// 7 bits (the processor decides: x86 with VNNI, ARM, x86 without).
enum class WideOperand { kUnsigned, kSigned, kSaturates };

inline WideOperand RelaxedDotOperand() {
  // Not constants: binaryen would evaluate them, and it cannot.
  volatile int8_t first = 127, second = -1;
  const v128_t dot = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(
      wasm_i8x16_splat(first), wasm_i8x16_splat(second), wasm_i32x4_splat(0));
  const int lane = wasm_i32x4_extract_lane(dot, 0);
  return lane == 4 * 127 * 255 ? WideOperand::kUnsigned
         : lane == -4 * 127    ? WideOperand::kSigned
                               : WideOperand::kSaturates;
}

// What is added to signed bytes to make weights for a NarrowDot.
inline int SignedWeightZeroPoint() {
  return RelaxedDotOperand() == WideOperand::kUnsigned ? 128 : 0;
}

// Narrow: the relaxed int8 dot product, four times as fast. The weights are its
// second operand: of at most 7 bits, which mean the same everywhere, or of 8,
// signed or not as RelaxedDotOperand() wants it.
// Their products with inputs of -127 to 127 add up to less than 2^15 in pairs,
// which is as far as V8 adds them on ARM, where it baseline compiles or finds
// no dot product (-128 times -128, twice, wraps there).
struct NarrowDot : LaneSums {
  using Code = int8_t;
  using Stored = int8_t;
  using Weights = I8x16;
  using Input = I8x16;
  static Sums Begin(I32x4 start) { return start; }
  static Weights Of(I8x16 codes) { return codes; }
  static Weights Load(const int8_t* codes) { return LoadI8(codes); }
  static Input LoadInput(const Code* from) {
    return {wasm_v128_load32_splat(from)};
  }
  using Inputs = I8x16;
  static Inputs LoadInputs(const Code* from) { return {wasm_v128_load(from)}; }
  static Input InputOf(const Inputs& x, int token) {
    return {LaneOf(x.v, token)};
  }
  static Sums Add(Weights w, Input x, Sums sums) {
    return {wasm_i32x4_relaxed_dot_i8x16_i7x16_add(x.v, w.v, sums.v)};
  }
  template <int kQuads>
  static Sums Add(const Weights* w, const Input* x, Sums sums) {
    for (int i = 0; i < kQuads; ++i) sums = Add(w[i], x[i], sums);
    return sums;
  }
  static I32x4 End(Sums sums, I32x4) { return sums; }
};

// Short: of the narrow one x86 without VNNI makes products that are summed in
// pairs to 16 bits, and then, with a vector of ones that V8 builds each time,
// four steps to 32 bits. Here these follow several products: all of a group,
// whose sums must stay within 16 bits, or two.
template <bool kWholeGroup>
struct ShortDot {
  using Code = int8_t;
  using Stored = int8_t;
  using Weights = I8x16;
  using Input = I8x16;
  struct Sums {
    v128_t v;
  };
  static Sums Begin(I32x4 start) {
    return {kWholeGroup ? wasm_i32x4_splat(0) : start.v};
  }
  static Weights Of(I8x16 codes) { return codes; }
  static Weights Load(const int8_t* codes) { return LoadI8(codes); }
  static Input LoadInput(const Code* from) {
    return {wasm_v128_load32_splat(from)};
  }
  using Inputs = const Code*;
  static Inputs LoadInputs(const Code* from) { return from; }
  static Input InputOf(Inputs x, int token) { return LoadInput(x + 4 * token); }
  template <int kQuads>
  static Sums Add(const Weights* w, const Input* x, Sums sums) {
    if constexpr (kWholeGroup) {
      for (int i = 0; i < kQuads; ++i) {
        sums.v = wasm_i16x8_add(sums.v, Products(w[i], x[i]));
      }
    } else {
      static_assert(kQuads % 2 == 0);
      for (int i = 0; i < kQuads; i += 2) {
        const v128_t two =
            wasm_i16x8_add(Products(w[i], x[i]), Products(w[i + 1], x[i + 1]));
        sums.v = wasm_i32x4_add(sums.v, wasm_i32x4_extadd_pairwise_i16x8(two));
      }
    }
    return sums;
  }
  static I32x4 End(Sums sums, I32x4 start) {
    if constexpr (!kWholeGroup) return {sums.v};
    return {wasm_i32x4_add(start.v, wasm_i32x4_extadd_pairwise_i16x8(sums.v))};
  }

  // The step to 32 bits multiplies: a number in memory is one of 16 bits for
  // each of the pairs, and so is a scale.
  static int32_t Start(int first, int second) {
    return static_cast<int32_t>((static_cast<uint32_t>(first) & 0xffff) |
                                static_cast<uint32_t>(second) << 16);
  }
  static Sums From(I32x4 start) { return {start.v}; }
  static void LoadScales(const uint8_t* eight, I32x4* low, I32x4* high) {
    I16x8 of_low, of_high;
    LoadPairs(eight, &of_low, &of_high);
    *low = {of_low.v};
    *high = {of_high.v};
  }
  static I32x4 AddScaled(Sums sums, I32x4 scale, I32x4 total) {
    static_assert(kWholeGroup);
    return {wasm_i32x4_add(total.v, wasm_i32x4_dot_i16x8(sums.v, scale.v))};
  }

 private:
  static v128_t Products(Weights w, Input x) {
    return wasm_i16x8_relaxed_dot_i8x16_i7x16(x.v, w.v);
  }
};
#endif

// Nearest int8 of sixteen floats in [-127, 127], ties to even.
inline void StoreNearestI8(int8_t* to, F32x4 a, F32x4 b, F32x4 c, F32x4 d) {
  const auto whole = [](F32x4 x) {
    return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x.v));
  };
  wasm_v128_store(
      to, wasm_i8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(whole(a), whole(b)),
                                  wasm_i16x8_narrow_i32x4(whole(c), whole(d))));
}

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

#else  // The portable twin: one lane at a time, no undefined behaviour.

struct F32x4 {
  float v[4];
};
struct I32x4 {
  int32_t v[4];
};
struct I16x8 {
  int16_t v[8];
};
struct I8x16 {
  int8_t v[16];
};

template <typename F>
inline F32x4 Lanes(F lane) {
  return {{lane(0), lane(1), lane(2), lane(3)}};
}

inline F32x4 Load(const float* from) {
  F32x4 x;
  std::memcpy(x.v, from, sizeof(x.v));
  return x;
}
inline void Store(float* to, F32x4 x) { std::memcpy(to, x.v, sizeof(x.v)); }
inline F32x4 Splat(float x) { return {{x, x, x, x}}; }
inline F32x4 Add(F32x4 a, F32x4 b) {
  return Lanes([&](int i) { return a.v[i] + b.v[i]; });
}
inline F32x4 Sub(F32x4 a, F32x4 b) {
  return Lanes([&](int i) { return a.v[i] - b.v[i]; });
}
inline F32x4 Mul(F32x4 a, F32x4 b) {
  return Lanes([&](int i) { return a.v[i] * b.v[i]; });
}
inline F32x4 Div(F32x4 a, F32x4 b) {
  return Lanes([&](int i) { return a.v[i] / b.v[i]; });
}
inline F32x4 Min(F32x4 a, F32x4 b) {
  return Lanes([&](int i) { return b.v[i] < a.v[i] ? b.v[i] : a.v[i]; });
}
inline F32x4 Max(F32x4 a, F32x4 b) {
  return Lanes([&](int i) { return a.v[i] < b.v[i] ? b.v[i] : a.v[i]; });
}
inline F32x4 Abs(F32x4 a) {
  return Lanes([&](int i) { return __builtin_fabsf(a.v[i]); });
}
inline F32x4 Negative(F32x4 a) {
  return Lanes([&](int i) { return -a.v[i]; });
}
inline F32x4 MulAdd(F32x4 a, F32x4 b, F32x4 c) { return Add(Mul(a, b), c); }
inline float Sum(F32x4 a) { return (a.v[0] + a.v[2]) + (a.v[1] + a.v[3]); }
inline float Largest(F32x4 a) { return *std::max_element(a.v, a.v + 4); }
inline F32x4 PowerOfTwo(F32x4 n) {
  return Lanes([&](int i) {
    uint32_t bits;
    std::memcpy(&bits, &n.v[i], sizeof(bits));
    bits <<= 23;
    float power;
    std::memcpy(&power, &bits, sizeof(power));
    return power;
  });
}

inline I8x16 LoadI8(const int8_t* from) {
  I8x16 x;
  std::memcpy(x.v, from, sizeof(x.v));
  return x;
}
inline F32x4 ToFloat(I32x4 a) {
  return Lanes([&](int i) { return static_cast<float>(a.v[i]); });
}
inline F32x4 BitsToFloat(I32x4 a) {
  F32x4 x;
  std::memcpy(x.v, a.v, sizeof(x.v));
  return x;
}
inline I32x4 SplatI32(int32_t x) { return {{x, x, x, x}}; }
inline I32x4 Add(I32x4 a, I32x4 b) {
  for (int i = 0; i < 4; ++i) a.v[i] += b.v[i];
  return a;
}
inline I32x4 Sub(I32x4 a, I32x4 b) {
  for (int i = 0; i < 4; ++i) a.v[i] -= b.v[i];
  return a;
}
inline I32x4 Mul(I32x4 a, I32x4 b) {
  for (int i = 0; i < 4; ++i) a.v[i] *= b.v[i];
  return a;
}
inline I32x4 LoadI32(const int32_t* from) {
  I32x4 x;
  std::memcpy(x.v, from, sizeof(x.v));
  return x;
}
inline void StoreI32(int32_t* to, I32x4 x) {
  std::memcpy(to, x.v, sizeof(x.v));
}
inline I8x16 LoadU8(const uint8_t* from) {
  I8x16 x;
  std::memcpy(x.v, from, sizeof(x.v));
  return x;
}
inline void StoreI8(int8_t* to, I8x16 x) { std::memcpy(to, x.v, sizeof(x.v)); }
inline I8x16 SplatI8(int8_t x) {
  I8x16 all;
  for (int8_t& lane : all.v) lane = x;
  return all;
}
inline I8x16 And(I8x16 a, I8x16 b) {
  for (int i = 0; i < 16; ++i) a.v[i] = static_cast<int8_t>(a.v[i] & b.v[i]);
  return a;
}
inline I8x16 Or(I8x16 a, I8x16 b) {
  for (int i = 0; i < 16; ++i) a.v[i] = static_cast<int8_t>(a.v[i] | b.v[i]);
  return a;
}
inline I8x16 Xor(I8x16 a, I8x16 b) {
  for (int i = 0; i < 16; ++i) a.v[i] = static_cast<int8_t>(a.v[i] ^ b.v[i]);
  return a;
}
template <int kBits>
inline I8x16 ShiftRight16(I8x16 a) {
  uint16_t lanes[8];
  std::memcpy(lanes, a.v, sizeof(lanes));
  for (uint16_t& x : lanes) x = static_cast<uint16_t>(x >> kBits);
  std::memcpy(a.v, lanes, sizeof(lanes));
  return a;
}
template <int kBits>
inline I8x16 ShiftLeft16(I8x16 a) {
  uint16_t lanes[8];
  std::memcpy(lanes, a.v, sizeof(lanes));
  for (uint16_t& x : lanes) x = static_cast<uint16_t>(x << kBits);
  std::memcpy(a.v, lanes, sizeof(lanes));
  return a;
}
inline I8x16 Lookup(I8x16 table, I8x16 index) {
  for (int8_t& lane : index.v) lane = table.v[lane & 15];
  return index;
}

inline void Transpose(I32x4 (&x)[4]) {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) std::swap(x[i].v[j], x[j].v[i]);
  }
}
inline PairSums SumPairs(I8x16 a) {
  int sums[2] = {};
  for (int i = 0; i < 16; ++i) sums[i / 2 % 2] += a.v[i];
  return {static_cast<int16_t>(sums[0]), static_cast<int16_t>(sums[1])};
}
inline I16x8 LoadI16(const int16_t* from) {
  I16x8 x;
  std::memcpy(x.v, from, sizeof(x.v));
  return x;
}
inline void StoreI16(int16_t* to, I16x8 x) {
  std::memcpy(to, x.v, sizeof(x.v));
}
inline I16x8 SplatI16(int16_t x) { return {{x, x, x, x, x, x, x, x}}; }
inline I16x8 WidenI8x8(const uint8_t* from) {
  I16x8 x;
  for (int i = 0; i < 8; ++i) x.v[i] = static_cast<int8_t>(from[i]);
  return x;
}
inline I16x8 SplatPair(const PairSums* from) {
  I16x8 x;
  for (int i = 0; i < 8; ++i) x.v[i] = i % 2 ? from->second : from->first;
  return x;
}
inline I32x4 DotPairs(I16x8 a, I16x8 b) {
  I32x4 sums;
  for (int i = 0; i < 4; ++i) {
    sums.v[i] = a.v[2 * i] * b.v[2 * i] + a.v[2 * i + 1] * b.v[2 * i + 1];
  }
  return sums;
}
inline void LoadPairs(const uint8_t* from, I16x8* low, I16x8* high) {
  for (int i = 0; i < 8; ++i) {
    low->v[i] = static_cast<int8_t>(from[i / 2]);
    high->v[i] = static_cast<int8_t>(from[4 + i / 2]);
  }
}

inline constexpr int32_t kHalfMask = static_cast<int32_t>(0x8fffe000);
inline constexpr float kHalfScale = 0x1p112f;
inline F32x4 LoadHalf4(const uint16_t* from, I32x4 mask, F32x4 scale) {
  return Lanes([&](int i) {
    const uint32_t bits = static_cast<uint32_t>(static_cast<int16_t>(from[i]))
                              << 13 &
                          static_cast<uint32_t>(mask.v[i]);
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value * scale.v[i];
  });
}

class HalfLoader {
 public:
  explicit HalfLoader(const uint32_t*) {}
  F32x4 operator()(const uint16_t* from) const {
    return LoadHalf4(from, SplatI32(kHalfMask), Splat(kHalfScale));
  }
};

inline F32x4 LoadBfloat4(const uint16_t* from) {
  return Lanes([&](int i) {
    const uint32_t bits = static_cast<uint32_t>(from[i]) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  });
}

inline F32x4 Lane(F32x4 x, int lane) { return Splat(x.v[lane]); }
inline I32x4 Lane(I32x4 x, int lane) { return SplatI32(x.v[lane]); }

inline void LoadI8x8(const uint8_t* from, I32x4* low, I32x4* high) {
  for (int i = 0; i < 4; ++i) {
    low->v[i] = static_cast<int8_t>(from[i]);
    high->v[i] = static_cast<int8_t>(from[4 + i]);
  }
}

struct LaneSums {
  using Sums = I32x4;
  static int32_t Start(int first, int second) { return first + second; }
  static Sums From(I32x4 start) { return start; }
  static void LoadScales(const uint8_t* eight, I32x4* low, I32x4* high) {
    LoadI8x8(eight, low, high);
  }
  static I32x4 AddScaled(Sums sums, I32x4 scale, I32x4 total) {
    return Add(total, Mul(sums, scale));
  }
};

struct WideDot : LaneSums {
  using Code = int16_t;
  using Stored = int8_t;
  using Weights = I8x16;
  struct Input {
    int16_t v[4];
  };
  static Sums Begin(I32x4 start) { return start; }
  static Weights Of(I8x16 codes) { return codes; }
  static Weights Load(const int8_t* codes) { return LoadI8(codes); }
  static Input LoadInput(const Code* from) {
    return {{from[0], from[1], from[2], from[3]}};
  }
  using Inputs = const Code*;
  static Inputs LoadInputs(const Code* from) { return from; }
  static Input InputOf(Inputs x, int token) { return LoadInput(x + 4 * token); }
  static Sums Add(const Weights& w, const Input& x, Sums sums) {
    for (int i = 0; i < 16; ++i) {
      sums.v[i / 2 % 4] += w.v[i] * x.v[i / 8 * 2 + i % 2];
    }
    return sums;
  }
  template <int kQuads>
  static Sums Add(const Weights* w, const Input* x, Sums sums) {
    for (int i = 0; i < kQuads; ++i) sums = Add(w[i], x[i], sums);
    return sums;
  }
  static I32x4 End(Sums sums, I32x4) { return sums; }
};

struct ScaledDot : WideDot {
  using Stored = int16_t;
  struct Weights {
    int16_t v[16];
  };
  static Weights Load(const Stored* from) {
    Weights w;
    std::memcpy(w.v, from, sizeof(w.v));
    return w;
  }
  static void StoreWeights(I8x16 codes, I16x8 zero, I16x8 scales, Stored* to) {
    for (int i = 0; i < 16; ++i) {
      to[i] =
          static_cast<int16_t>((codes.v[i] - zero.v[i % 8]) * scales.v[i % 8]);
    }
  }
  template <int kQuads>
  static Sums Add(const Weights* w, const Input* x, Sums sums) {
    for (int q = 0; q < kQuads; ++q) {
      for (int i = 0; i < 16; ++i) {
        sums.v[i / 2 % 4] += w[q].v[i] * x[q].v[i / 8 * 2 + i % 2];
      }
    }
    return sums;
  }
};

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

inline void StoreNearestI8(int8_t* to, F32x4 a, F32x4 b, F32x4 c, F32x4 d) {
  const F32x4 parts[4] = {a, b, c, d};
  for (int i = 0; i < 16; ++i) {
    to[i] = static_cast<int8_t>(__builtin_rintf(parts[i / 4].v[i % 4]));
  }
}

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
  using Factors = RowsDot::Input;
  using Sums = I32x4;
  static Sums Begin() { return SplatI32(0); }
  static void Store(int8_t* to, F32x4 a, F32x4 b, F32x4 c, F32x4 d) {
    const F32x4 parts[4] = {a, b, c, d};
    for (int i = 0; i < 16; ++i) {
      const float x = parts[i / 4].v[i % 4];
      to[i] = static_cast<int8_t>(x == x ? __builtin_rintf(x) : 0);
    }
  }
  static Factors Load(const int8_t* from) {
    return {{from[0], from[1], from[2], from[3]}};
  }
  static Sums Add(I8x16 rows, Factors x, Sums sums) {
    return RowsDot::Add(rows, x, sums);
  }
  static I32x4 End(Sums sums) { return sums; }
};

using ShortFactorDot = NarrowFactorDot;

#endif

}  // namespace fastweights
