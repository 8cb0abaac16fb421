// SPDX-License-Identifier: MIT
#include "formats/block_format.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 256 weights in 16 groups: 16 bytes, each a group's scale and minimum in 4
// bits; 64 bytes of codes, each 32 of which have, by pairs of bits from the
// lowest on, 32 weights, the next 32, ...; f16 d, dmin.
//   w = d scale q - dmin minimum
struct Q2KBlock {
  static constexpr int kBytes = 84;
  static constexpr TileLayout kTile = {.bits = 2,
                                       .group = 16,
                                       .offsets = true,
                                       .block = 256,
                                       .scales = TileScales::kIntegers,
                                       .zero_point = 0,
                                       .levels = {}};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block + 80)) &&
           IsFiniteHalf(LoadU16(block + 82));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block + 80);
    parts->offset = LoadU16(block + 82);
    for (int group = 0; group < 16; ++group) {
      parts->scales[group] = static_cast<int8_t>(block[group] & 15);
      parts->offsets[group] = static_cast<int8_t>(-(block[group] >> 4));
    }
    for (int part = 0; part < 8; ++part) {
      const uint8_t* fours = block + 16 + part / 4 * 32;
      int8_t* codes = parts->codes + 32 * part;
      for (int i = 0; i < 32; ++i) {
        codes[i] = static_cast<int8_t>(fours[i] >> part % 4 * 2 & 3);
      }
    }
  }
};

}  // namespace

const Format kQ2KFormat = BlockFormat<Q2KBlock>(10, "Q2_K");

}  // namespace fastweights
