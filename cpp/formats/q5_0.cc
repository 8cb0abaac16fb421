// SPDX-License-Identifier: MIT
#include "formats/block_format.h"
#include "formats/half.h"
#include "formats/round_blocks.h"

namespace fastweights {
namespace {

// 32 weights: f16 d; u32 fifth bits; 16 bytes of nibbles, low ones first.
// w = d (q - 16)
struct Q5_0Block {
  static constexpr int kBytes = 22;
  static constexpr TileLayout kTile = {.bits = 5,
                                       .group = 32,
                                       .offsets = false,
                                       .block = 32,
                                       .scales = TileScales::kHalves,
                                       .zero_point = 16,
                                       .levels = {}};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block);
    const uint32_t fifth = LoadU32(block + 2);
    for (int i = 0; i < 16; ++i) {
      const uint8_t pair = block[6 + i];
      parts->codes[i] =
          static_cast<int8_t>(((pair & 15) | (fifth >> i & 1) << 4) - 16);
      parts->codes[i + 16] =
          static_cast<int8_t>((pair >> 4 | (fifth >> (i + 16) & 1) << 4) - 16);
    }
  }

  static void Quantise(const float* x, uint8_t* block) {
    uint8_t codes[kRoundedBlock];
    StoreHalf(block, RoundAround(16, x, codes));
    uint32_t fifth = 0;
    for (int i = 0; i < kRoundedBlock; ++i) {
      fifth |= static_cast<uint32_t>(codes[i] >> 4) << i;
    }
    for (int i = 0; i < 4; ++i) {
      block[2 + i] = static_cast<uint8_t>(fifth >> 8 * i);
    }
    for (int i = 0; i < 16; ++i) {
      block[6 + i] =
          static_cast<uint8_t>((codes[i] & 15) | (codes[i + 16] & 15) << 4);
    }
  }
};

}  // namespace

const Format kQ5_0Format = BlockFormat<Q5_0Block>(6, "Q5_0");

}  // namespace fastweights
