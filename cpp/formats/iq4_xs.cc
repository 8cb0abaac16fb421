// SPDX-License-Identifier: MIT
#include "formats/block_format.h"
#include "formats/half.h"
#include "formats/iq4_levels.h"

namespace fastweights {
namespace {

// 256 weights in 8 groups of 32: f16 d; the upper two bits of the groups'
// scales, u16, and the lower four, 4 bytes; 128 bytes of codes as in IQ4_NL,
// group by group.  w = d (scale - 32) level[q]
struct Iq4XsBlock {
  static constexpr int kBytes = 136;
  static constexpr TileLayout kTile = {.bits = 4,
                                       .group = 32,
                                       .offsets = false,
                                       .block = 256,
                                       .scales = TileScales::kIntegers,
                                       .zero_point = 0,
                                       .levels = kIq4Levels};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block);
    const int upper = LoadU16(block + 2);
    for (int group = 0; group < 8; ++group) {
      const int scale = (block[4 + group / 2] >> group % 2 * 4 & 15) |
                        (upper >> 2 * group & 3) << 4;
      parts->scales[group] = static_cast<int8_t>(scale - 32);
      const uint8_t* pairs = block + 8 + 16 * group;
      int8_t* codes = parts->codes + 32 * group;
      for (int i = 0; i < 16; ++i) {
        codes[i] = kIq4Levels[pairs[i] & 15];
        codes[i + 16] = kIq4Levels[pairs[i] >> 4];
      }
    }
  }
};

}  // namespace

const Format kIq4XsFormat = BlockFormat<Iq4XsBlock>(23, "IQ4_XS");

}  // namespace fastweights
