// SPDX-License-Identifier: MIT
#include <cstring>

#include "formats/block_format.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 256 weights in 16 groups: 128 bytes of low nibbles, 64 bytes of upper bit
// pairs, 16 int8 scales, f16 d.  w = d scale (q - 32)
struct Q6KBlock {
  static constexpr int kBytes = 210;
  static constexpr TileLayout kTile = {.bits = 6,
                                       .group = 16,
                                       .offsets = false,
                                       .block = 256,
                                       .scales = TileScales::kIntegers,
                                       .zero_point = 32,
                                       .levels = {}};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block + 208));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block + 208);
    std::memcpy(parts->scales, block + 192, 16);
    // Each half of 128 has four quarters of 32: quarters 0 and 1 are the low
    // nibbles of 64 bytes, 2 and 3 the high ones; quarter p's upper bits are
    // bits 2p and 2p + 1 of 32 bytes.
    for (int part = 0; part < 8; ++part) {
      const int half = part / 4, quarter = part % 4;
      const uint8_t* low = block + 64 * half + quarter % 2 * 32;
      const uint8_t* upper = block + 128 + 32 * half;
      int8_t* codes = parts->codes + 32 * part;
      for (int i = 0; i < 32; ++i) {
        const int q = (low[i] >> quarter / 2 * 4 & 15) |
                      (upper[i] >> 2 * quarter & 3) << 4;
        codes[i] = static_cast<int8_t>(q - 32);
      }
    }
  }
};

}  // namespace

const Format kQ6KFormat = BlockFormat<Q6KBlock>(14, "Q6_K");

}  // namespace fastweights
