// SPDX-License-Identifier: MIT
#pragma once

// The twin of wasm_vectors.h for other builds: one lane at a time, no undefined
// behaviour.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/pair_sums.h"
#include "kernels/simd/constants.h"

namespace fastweights {

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

inline void StoreNearestI8(int8_t* to, F32x4 a, F32x4 b, F32x4 c, F32x4 d) {
  const F32x4 parts[4] = {a, b, c, d};
  for (int i = 0; i < 16; ++i) {
    to[i] = static_cast<int8_t>(__builtin_rintf(parts[i / 4].v[i % 4]));
  }
}

}  // namespace fastweights
