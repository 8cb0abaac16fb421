// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

namespace fastweights {

// Numbers as files store them.

inline float FloatFromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// IEEE binary16 to float, every code exactly.
inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t magnitude = static_cast<uint32_t>(half & 0x7fff) << 13;
  // Moving the exponent from bias 15 to 127 by a multiplication also makes
  // subnormals right.
  uint32_t bits;
  const float scaled = FloatFromBits(magnitude) * 0x1p112f;
  std::memcpy(&bits, &scaled, sizeof(bits));
  if (magnitude >= 0x7c00u << 13) bits = magnitude | 0x7f800000;  // inf, NaN
  return FloatFromBits(bits | sign);
}

inline bool IsFiniteHalf(uint16_t half) { return (half & 0x7c00) != 0x7c00; }

// The nearest IEEE binary16, ties to even; infinity from 65520 on, NaN is NaN.
inline uint16_t FloatToHalf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  const uint32_t sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits >= 0x47800000) {  // 65536
    return static_cast<uint16_t>(sign | (bits > 0x7f800000 ? 0x7e00 : 0x7c00));
  }
  if (bits < 113 << 23) {  // 2^-14
    // The last bit of a half is that of a binary16's subnormal number.
    const float rounded = FloatFromBits(bits) + 0.5f;
    std::memcpy(&bits, &rounded, sizeof(bits));
    return static_cast<uint16_t>(sign | (bits - (126 << 23)));
  }
  bits += 0xfff + (bits >> 13 & 1);
  return static_cast<uint16_t>(sign | (bits - (112 << 23)) >> 13);
}

// Little-endian, to any address; returns what the bytes stand for.
inline float StoreHalf(uint8_t* to, float value) {
  const uint16_t half = FloatToHalf(value);
  to[0] = static_cast<uint8_t>(half);
  to[1] = static_cast<uint8_t>(half >> 8);
  return HalfToFloat(half);
}

// What HalfLoader takes.
extern const uint32_t kHalfConstants[3];

// A little-endian 16-bit integer at any address.
inline uint16_t LoadU16(const uint8_t* from) {
  return static_cast<uint16_t>(from[0] | from[1] << 8);
}

// A little-endian binary16 at any address.
inline float LoadHalf(const uint8_t* from) {
  return HalfToFloat(LoadU16(from));
}

// A little-endian 32-bit integer at any address.
inline uint32_t LoadU32(const uint8_t* from) {
  return static_cast<uint32_t>(from[0]) | static_cast<uint32_t>(from[1]) << 8 |
         static_cast<uint32_t>(from[2]) << 16 |
         static_cast<uint32_t>(from[3]) << 24;
}

}  // namespace fastweights
