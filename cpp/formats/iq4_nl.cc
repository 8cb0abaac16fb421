// SPDX-License-Identifier: MIT
#include "formats/block_format.h"
#include "formats/half.h"
#include "formats/iq4_levels.h"

namespace fastweights {
namespace {

// 32 weights: f16 d; 16 bytes, low nibbles first, each an index into a table
// of 16 unevenly spaced levels.  w = d level[q]
struct Iq4NlBlock {
  static constexpr int kBytes = 18;
  static constexpr TileLayout kTile = {.bits = 4,
                                       .group = 32,
                                       .offsets = false,
                                       .block = 32,
                                       .scales = TileScales::kHalves,
                                       .zero_point = 0,
                                       .levels = kIq4Levels};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block);
    for (int i = 0; i < 16; ++i) {
      const uint8_t pair = block[2 + i];
      parts->codes[i] = kIq4Levels[pair & 15];
      parts->codes[i + 16] = kIq4Levels[pair >> 4];
    }
  }
};

}  // namespace

const Format kIq4NlFormat = BlockFormat<Iq4NlBlock>(20, "IQ4_NL");

}  // namespace fastweights
