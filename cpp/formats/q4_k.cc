// SPDX-License-Identifier: MIT
#include "formats/block_linear.h"
#include "formats/half.h"
#include "formats/k_scales.h"

namespace fastweights {
namespace {

// 256 weights in 8 groups: f16 d, dmin; 12 bytes of 6-bit scales and minima;
// 128 bytes of nibbles: of each 32 bytes the low ones are one group, the high
// ones the next.  w = d scale q - dmin minimum
struct Q4KBlock {
  static constexpr int kBytes = 144;
  static constexpr TileLayout kTile = {.bits = 4,
                                       .group = 32,
                                       .offsets = true,
                                       .block = 256,
                                       .zero_point = 0,
                                       .levels = nullptr};

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block);
    parts->offset = LoadU16(block + 2);
    UnpackGroupScales(block + 4, parts);
    for (int group = 0; group < 8; ++group) {
      const uint8_t* pairs = block + 16 + group / 2 * 32;
      const int shift = group % 2 * 4;
      int8_t* codes = parts->codes + 32 * group;
      for (int i = 0; i < 32; ++i) {
        codes[i] = static_cast<int8_t>(pairs[i] >> shift & 15);
      }
    }
  }
};

}  // namespace

const Format kQ4KFormat = BlockFormat<Q4KBlock>(12, "Q4_K");

}  // namespace fastweights
