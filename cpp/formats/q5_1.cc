// SPDX-License-Identifier: MIT
#include "formats/block_format.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 32 weights: f16 d, m; u32 fifth bits; 16 bytes of nibbles, low ones first.
// w = d q + m
struct Q5_1Block {
  static constexpr int kBytes = 24;
  static constexpr TileLayout kTile = {.bits = 5,
                                       .group = 32,
                                       .offsets = true,
                                       .block = 32,
                                       .scales = TileScales::kHalves,
                                       .zero_point = 0,
                                       .levels = {}};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block)) && IsFiniteHalf(LoadU16(block + 2));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block);
    parts->offset = LoadU16(block + 2);
    const uint32_t fifth = LoadU32(block + 4);
    for (int i = 0; i < 16; ++i) {
      const uint8_t pair = block[8 + i];
      parts->codes[i] =
          static_cast<int8_t>((pair & 15) | (fifth >> i & 1) << 4);
      parts->codes[i + 16] =
          static_cast<int8_t>(pair >> 4 | (fifth >> (i + 16) & 1) << 4);
    }
  }
};

}  // namespace

const Format kQ5_1Format = BlockFormat<Q5_1Block>(7, "Q5_1");

}  // namespace fastweights
