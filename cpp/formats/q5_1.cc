// SPDX-License-Identifier: MIT
#include "formats/block_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 32 weights: f16 d, m; u32 fifth bits; 16 bytes of nibbles, low ones first.
// w = d q + m
struct Q5_1Block {
  static constexpr int kColumns = 32;
  static constexpr int kBytes = 24;
  static constexpr int kGroup = 32;
  static constexpr bool kOffsets = true;

  static void Unpack(const uint8_t* block, int8_t* codes, float* scale,
                     float* offset) {
    scale[0] = LoadHalf(block);
    offset[0] = LoadHalf(block + 2);
    const uint32_t fifth = LoadU32(block + 4);
    for (int i = 0; i < 16; ++i) {
      const uint8_t pair = block[8 + i];
      codes[i] = static_cast<int8_t>((pair & 15) | (fifth >> i & 1) << 4);
      codes[i + 16] =
          static_cast<int8_t>(pair >> 4 | (fifth >> (i + 16) & 1) << 4);
    }
  }
};

}  // namespace

const Format kQ5_1Format = BlockFormat<Q5_1Block>(7, "Q5_1");

}  // namespace fastweights
