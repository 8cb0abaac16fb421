// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "formats/format.h"
#include "random.h"

namespace fastweights {

// binary16 of a normal number, cut off.
inline uint16_t HalfBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  const int exponent = static_cast<int>(bits >> 23 & 255) - 127 + 15;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | exponent << 10 |
                               (bits >> 13 & 1023));
}

// A binary16 within a block: where it is, and its usual size beside the
// block's first one.
struct HalfField {
  int offset;
  double size;
};

inline std::vector<HalfField> HalfFields(const Format& format) {
  const std::string name = format.name;
  if (name == "Q4_1") return {{0, 1.0}, {2, 8.0}};
  if (name == "Q5_1") return {{0, 1.0}, {2, 16.0}};
  if (name == "Q4_K") return {{0, 1.0}, {2, 8.0}};
  if (name == "Q5_K") return {{0, 1.0}, {2, 16.0}};
  if (name == "Q6_K") return {{208, 1.0}};
  if (name == "Q2_K") return {{80, 1.0}, {82, 4.0}};
  if (name == "Q3_K") return {{108, 1.0}};
  if (name == "MXFP4") return {};
  return {{0, 1.0}};
}

// Bytes that hold `count` weights: any codes, and scales in +-[size/2, size].
// Weights of a float type are normal with that deviation.
inline std::vector<uint8_t> RandomWeights(const Format& format, size_t count,
                                          Random& random, double size = 0.01) {
  const size_t blocks = count / format.block;
  std::vector<uint8_t> bytes(blocks * format.block_bytes);
  const bool is_float = format.block == 1;
  const auto put_half = [&](uint8_t* to, double value) {
    const uint16_t half = HalfBits(static_cast<float>(value));
    std::memcpy(to, &half, sizeof(half));
  };
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Bits());
  for (size_t i = 0; i < blocks; ++i) {
    uint8_t* block = bytes.data() + i * format.block_bytes;
    if (is_float) {
      // Far enough from zero to be a normal binary16.
      const double drawn = size * random.Normal();
      const float value = static_cast<float>(
          std::copysign(std::max(std::abs(drawn), 1e-4), drawn));
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      const uint16_t upper = static_cast<uint16_t>(bits >> 16);
      if (format.block_bytes == 4) {
        std::memcpy(block, &bits, sizeof(bits));
      } else if (std::string(format.name) == "BF16") {
        std::memcpy(block, &upper, sizeof(upper));
      } else {
        put_half(block, value);
      }
      continue;
    }
    if (std::string(format.name) == "MXFP4") {
      block[0] = static_cast<uint8_t>(128 + std::ilogb(size) - random.Below(2));
    }
    for (const HalfField& field : HalfFields(format)) {
      const double value = size * field.size * random.Between(0.5, 1.0);
      put_half(block + field.offset, random.Below(2) ? value : -value);
    }
  }
  return bytes;
}

}  // namespace fastweights
