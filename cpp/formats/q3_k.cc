// SPDX-License-Identifier: MIT
#include "formats/block_format.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 256 weights in 16 groups: 32 bytes of third bits, of which bit p of byte i is
// weight 32 p + i's; 64 bytes of the lower two as in Q2_K; 12 bytes of 6-bit
// scales; f16 d.  w = d (scale - 32) (q - 4)
// The lower four bits of scales 0-7 are the low nibbles of the first 8 bytes,
// those of 8-15 the high ones; of the last four bytes, byte i has the upper two
// bits of scales i, i + 4, i + 8 and i + 12, from the lowest on.
struct Q3KBlock {
  static constexpr int kBytes = 110;
  static constexpr TileLayout kTile = {.bits = 3,
                                       .group = 16,
                                       .offsets = false,
                                       .block = 256,
                                       .scales = TileScales::kIntegers,
                                       .zero_point = 4,
                                       .levels = {}};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block + 108));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block + 108);
    const uint8_t* scales = block + 96;
    for (int group = 0; group < 16; ++group) {
      const int low = scales[group % 8] >> group / 8 * 4 & 15;
      const int upper = scales[8 + group % 4] >> group / 4 * 2 & 3;
      parts->scales[group] = static_cast<int8_t>((low | upper << 4) - 32);
    }
    for (int part = 0; part < 8; ++part) {
      const uint8_t* fours = block + 32 + part / 4 * 32;
      int8_t* codes = parts->codes + 32 * part;
      for (int i = 0; i < 32; ++i) {
        const int q = (fours[i] >> part % 4 * 2 & 3) | (block[i] >> part & 1)
                                                           << 2;
        codes[i] = static_cast<int8_t>(q - 4);
      }
    }
  }
};

}  // namespace

const Format kQ3KFormat = BlockFormat<Q3KBlock>(11, "Q3_K");

}  // namespace fastweights
