// SPDX-License-Identifier: MIT
#pragma once

// The only file with SIMD intrinsics: four floats, sixteen bytes and their
// int8 dot product over WebAssembly SIMD128 (and relaxed SIMD where the build
// has it), with a portable twin that native builds and sanitizers run.
// Comments name lanes from the lowest address up.

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace fastweights {

#ifdef __wasm_simd128__

struct F32x4 {
  v128_t v;
};
struct I32x4 {
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
inline F32x4 Round(F32x4 a) { return {wasm_f32x4_nearest(a.v)}; }

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

// 2^n for whole n in [-126, 127].
inline F32x4 PowerOfTwo(F32x4 n) {
  const v128_t exponent =
      wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(n.v), wasm_i32x4_splat(127));
  return {wasm_i32x4_shl(exponent, 23)};
}

inline I32x4 ZeroI32() { return {wasm_i32x4_splat(0)}; }
inline I8x16 LoadI8(const int8_t* from) { return {wasm_v128_load(from)}; }
inline F32x4 ToFloat(I32x4 a) { return {wasm_f32x4_convert_i32x4(a.v)}; }

// sum + the products of a and b, four neighbouring pairs of pairs to a lane
// in no promised order: only the sum over all lanes is defined. Exact.
inline I32x4 DotAdd(I8x16 a, I8x16 b, I32x4 sum) {
  const v128_t low = wasm_i16x8_extmul_low_i8x16(a.v, b.v);
  const v128_t high = wasm_i16x8_extmul_high_i8x16(a.v, b.v);
  return {wasm_i32x4_add(
      sum.v, wasm_i32x4_add(wasm_i32x4_extadd_pairwise_i16x8(low),
                            wasm_i32x4_extadd_pairwise_i16x8(high)))};
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

#else  // The portable twin: one lane at a time, no undefined behaviour.

struct F32x4 {
  float v[4];
};
struct I32x4 {
  int32_t v[4];
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
inline F32x4 Round(F32x4 a) {
  return Lanes([&](int i) { return __builtin_rintf(a.v[i]); });
}
inline F32x4 MulAdd(F32x4 a, F32x4 b, F32x4 c) { return Add(Mul(a, b), c); }
inline float Sum(F32x4 a) { return (a.v[0] + a.v[2]) + (a.v[1] + a.v[3]); }
inline F32x4 PowerOfTwo(F32x4 n) {
  return Lanes([&](int i) {
    const uint32_t bits = static_cast<uint32_t>(static_cast<int>(n.v[i]) + 127)
                          << 23;
    float power;
    std::memcpy(&power, &bits, sizeof(power));
    return power;
  });
}

inline I32x4 ZeroI32() { return {}; }
inline I8x16 LoadI8(const int8_t* from) {
  I8x16 x;
  std::memcpy(x.v, from, sizeof(x.v));
  return x;
}
inline F32x4 ToFloat(I32x4 a) {
  return Lanes([&](int i) { return static_cast<float>(a.v[i]); });
}
inline I32x4 DotAdd(I8x16 a, I8x16 b, I32x4 sum) {
  for (int i = 0; i < 16; ++i) sum.v[i / 4] += a.v[i] * b.v[i];
  return sum;
}
inline void StoreNearestI8(int8_t* to, F32x4 a, F32x4 b, F32x4 c, F32x4 d) {
  const F32x4 parts[4] = {a, b, c, d};
  for (int i = 0; i < 16; ++i) {
    to[i] = static_cast<int8_t>(__builtin_rintf(parts[i / 4].v[i % 4]));
  }
}

#endif

}  // namespace fastweights
