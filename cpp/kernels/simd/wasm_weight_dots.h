// SPDX-License-Identifier: MIT
#pragma once

// Dot products of weights and activations, by SIMD128 and by relaxed SIMD.

#include <wasm_simd128.h>

#include <cstdint>

#include "kernels/simd/lane_sums.h"

namespace fastweights {

// Products of sixteen int8 weights - four rows of four columns - with four
// input columns, summed over the columns: lane r is row r. Exact.
// Sums of a run of columns may be multiplied by whole numbers as they are added
// up (AddScaled): by an int8 a row (LoadScales). Such runs begin at a number in
// memory (From), which is what Start makes of a multiple of the input's
// PairSums.
// Wide: over 16-bit lanes, in every engine. The weights lie in pairs of
// columns: two of each row, then the other two of each, so that both pairs add
// to one vector of sums; row by row they would take two, and V8 has fifteen.
// Where there is relaxed SIMD they lie row by row and have no sign, as
// HalvesDot takes them: a swizzle makes a pair.
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
#ifdef __wasm_relaxed_simd__
  static Weights Of(I8x16 codes) {
    const v128_t first = wasm_v128_load(kPairsOfRows[0]);
    const v128_t second = wasm_v128_load(kPairsOfRows[1]);
    return {wasm_i8x16_relaxed_swizzle(codes.v, first),
            wasm_i8x16_relaxed_swizzle(codes.v, second)};
  }
  static Weights Load(const int8_t* codes) { return Of(LoadI8(codes)); }
#else
  static Weights Of(I8x16 codes) {
    return {wasm_i16x8_extend_low_i8x16(codes.v),
            wasm_i16x8_extend_high_i8x16(codes.v)};
  }
  static Weights Load(const int8_t* codes) {
    return {wasm_i16x8_load8x8(codes), wasm_i16x8_load8x8(codes + 8)};
  }
#endif
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

// What is added to signed bytes to make weights for a NarrowDot or HalvesDot.
inline int SignedWeightZeroPoint() {
  return RelaxedDotOperand() == WideOperand::kSigned ? 0 : 128;
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

// Halves: there, too, of weights of 8 bits without a sign, with inputs of -127
// to 127 as 16 times an upper half and a lower one, both of -8 to 8: 16 bits
// hold what 32 columns of either add up to (16 * 255 * 8 a lane). Four steps
// for sixteen products, as 16-bit lanes take, but none to widen the weights.
struct HalvesDot {
  // Of each four inputs the lower halves, then the upper ones.
  struct Code {
    int8_t halves[2];
  };
  using Weights = I8x16;
  struct Input {
    v128_t low, high;
  };
  struct Sums {
    v128_t low, high;
  };
  static Sums Begin(I32x4) {
    return {wasm_i32x4_splat(0), wasm_i32x4_splat(0)};
  }
  static Weights Of(I8x16 codes) { return codes; }
  static Weights Load(const int8_t* codes) { return LoadI8(codes); }
  static Input LoadInput(const Code* from) {
    return {wasm_v128_load32_splat(from), wasm_v128_load32_splat(from + 2)};
  }
  template <int kQuads>
  static Sums Add(const Weights* w, const Input* x, Sums sums) {
    for (int i = 0; i < kQuads; ++i) {
      const v128_t low = wasm_i16x8_relaxed_dot_i8x16_i7x16(x[i].low, w[i].v);
      const v128_t high = wasm_i16x8_relaxed_dot_i8x16_i7x16(x[i].high, w[i].v);
      sums = {wasm_i16x8_add(sums.low, low), wasm_i16x8_add(sums.high, high)};
    }
    return sums;
  }
  static I32x4 End(Sums sums, I32x4 start) {
    const v128_t high = wasm_i32x4_extadd_pairwise_i16x8(sums.high);
    const v128_t low = wasm_i32x4_extadd_pairwise_i16x8(sums.low);
    return {
        wasm_i32x4_add(wasm_i32x4_add(start.v, low), wasm_i32x4_shl(high, 4))};
  }

  // Multiples of 16, which the zero point of weights without a sign is.
  static int32_t Start(int first, int second) {
    return ShortDot<true>::Start(first / 16, second / 16);
  }
  static Sums From(I32x4 start) { return {wasm_i32x4_splat(0), start.v}; }
  static void LoadScales(const uint8_t* eight, I32x4* low, I32x4* high) {
    ShortDot<true>::LoadScales(eight, low, high);
  }
  static I32x4 AddScaled(Sums sums, I32x4 scale, I32x4 total) {
    const v128_t high = wasm_i32x4_dot_i16x8(sums.high, scale.v);
    const v128_t low = wasm_i32x4_dot_i16x8(sums.low, scale.v);
    return {
        wasm_i32x4_add(wasm_i32x4_add(total.v, low), wasm_i32x4_shl(high, 4))};
  }
};
#endif

}  // namespace fastweights
