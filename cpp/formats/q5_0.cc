// SPDX-License-Identifier: MIT
#include "formats/block_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 32 weights: f16 d; u32 fifth bits; 16 bytes of nibbles, low ones first.
// w = d (q - 16)
struct Q5_0Block {
  static constexpr int kColumns = 32;
  static constexpr int kBytes = 22;
  static constexpr int kGroup = 32;
  static constexpr bool kOffsets = false;

  static void Unpack(const uint8_t* block, int8_t* codes, float* scale,
                     float*) {
    scale[0] = LoadHalf(block);
    const uint32_t fifth = LoadU32(block + 2);
    for (int i = 0; i < 16; ++i) {
      const uint8_t pair = block[6 + i];
      codes[i] =
          static_cast<int8_t>(((pair & 15) | (fifth >> i & 1) << 4) - 16);
      codes[i + 16] =
          static_cast<int8_t>((pair >> 4 | (fifth >> (i + 16) & 1) << 4) - 16);
    }
  }
};

}  // namespace

const Format kQ5_0Format = BlockFormat<Q5_0Block>(6, "Q5_0");

}  // namespace fastweights
