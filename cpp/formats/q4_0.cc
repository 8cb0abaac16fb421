// SPDX-License-Identifier: MIT
#include "formats/block_format.h"
#include "formats/half.h"
#include "formats/round_blocks.h"

namespace fastweights {
namespace {

// 32 weights: f16 d; 16 bytes, low nibbles first.  w = d (q - 8)
struct Q4_0Block {
  static constexpr int kBytes = 18;
  static constexpr TileLayout kTile = {.bits = 4,
                                       .group = 32,
                                       .offsets = false,
                                       .block = 32,
                                       .scales = TileScales::kHalves,
                                       .zero_point = 8,
                                       .levels = {}};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block);
    for (int i = 0; i < 16; ++i) {
      const uint8_t pair = block[2 + i];
      parts->codes[i] = static_cast<int8_t>((pair & 15) - 8);
      parts->codes[i + 16] = static_cast<int8_t>((pair >> 4) - 8);
    }
  }

  static void Quantise(const float* x, uint8_t* block) {
    uint8_t codes[kRoundedBlock];
    StoreHalf(block, RoundAround(8, x, codes));
    for (int i = 0; i < 16; ++i) {
      block[2 + i] = static_cast<uint8_t>(codes[i] | codes[i + 16] << 4);
    }
  }
};

}  // namespace

const Format kQ4_0Format = BlockFormat<Q4_0Block>(2, "Q4_0");

}  // namespace fastweights
