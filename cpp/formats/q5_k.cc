// SPDX-License-Identifier: MIT
#include "formats/block_format.h"
#include "formats/half.h"
#include "formats/k_scales.h"

namespace fastweights {
namespace {

// As Q4_K, with a fifth bit of each weight in 32 bytes before the nibbles:
// bit g of byte i belongs to weight i of group g.
struct Q5KBlock {
  static constexpr int kBytes = 176;
  static constexpr TileLayout kTile = {.bits = 5,
                                       .group = 32,
                                       .offsets = true,
                                       .block = 256,
                                       .scales = TileScales::kIntegers,
                                       .zero_point = 0,
                                       .levels = {}};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block)) && IsFiniteHalf(LoadU16(block + 2));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block);
    parts->offset = LoadU16(block + 2);
    UnpackGroupScales(block + 4, parts);
    for (int group = 0; group < 8; ++group) {
      const uint8_t* pairs = block + 48 + group / 2 * 32;
      const int shift = group % 2 * 4;
      int8_t* codes = parts->codes + 32 * group;
      for (int i = 0; i < 32; ++i) {
        const int fifth = block[16 + i] >> group & 1;
        codes[i] = static_cast<int8_t>((pairs[i] >> shift & 15) | fifth << 4);
      }
    }
  }
};

}  // namespace

const Format kQ5KFormat = BlockFormat<Q5KBlock>(13, "Q5_K");

}  // namespace fastweights
