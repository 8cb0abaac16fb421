// SPDX-License-Identifier: MIT
#include "formats/block_format.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 32 weights: f16 d, m; 16 bytes, low nibbles first.  w = d q + m
struct Q4_1Block {
  static constexpr int kBytes = 20;
  static constexpr TileLayout kTile = {.bits = 4,
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
    for (int i = 0; i < 16; ++i) {
      const uint8_t pair = block[4 + i];
      parts->codes[i] = static_cast<int8_t>(pair & 15);
      parts->codes[i + 16] = static_cast<int8_t>(pair >> 4);
    }
  }
};

}  // namespace

const Format kQ4_1Format = BlockFormat<Q4_1Block>(3, "Q4_1");

}  // namespace fastweights
