// SPDX-License-Identifier: MIT
#include "formats/block_format.h"

namespace fastweights {
namespace {

// 32 weights of the Open Compute Project's MX format with FP4 elements: a byte
// e; 16 bytes, low nibbles first, each an E2M1 number: sign, two bits of
// exponent, one of fraction.  w = 2^(e - 127) E2M1[q]
// Levels are twice those numbers, so that they are whole. e = 255 is NaN.
struct Mxfp4Block {
  static constexpr CodeLevels kLevels = {0, 1,  2,  3,  4,  6,  8,  12,
                                         0, -1, -2, -3, -4, -6, -8, -12};
  static constexpr int kBytes = 17;
  static constexpr TileLayout kTile = {.bits = 4,
                                       .group = 32,
                                       .offsets = false,
                                       .block = 32,
                                       .scales = TileScales::kBfloats,
                                       .zero_point = 12,
                                       .levels = kLevels};

  static bool IsFinite(const uint8_t* block) { return block[0] != 255; }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    // 2^(e - 128) as the upper half of a float; the least two are subnormal.
    const int e = block[0];
    parts->scale = static_cast<uint16_t>(e < 2 ? 0x20 << e : (e - 1) << 7);
    for (int i = 0; i < 16; ++i) {
      const uint8_t pair = block[1 + i];
      parts->codes[i] = kLevels[pair & 15];
      parts->codes[i + 16] = kLevels[pair >> 4];
    }
  }
};

}  // namespace

const Format kMxfp4Format = BlockFormat<Mxfp4Block>(39, "MXFP4");

}  // namespace fastweights
