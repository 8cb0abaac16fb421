// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>

#include "formats/block_format.h"
#include "formats/half.h"
#include "formats/round_blocks.h"

namespace fastweights {
namespace {

// 32 weights: f16 d; int8 q[32].  w = d q
struct Q8_0Block {
  static constexpr int kBytes = 34;
  static constexpr TileLayout kTile = {.bits = 8,
                                       .group = 32,
                                       .offsets = false,
                                       .block = 32,
                                       .scales = TileScales::kHalves,
                                       .zero_point = 0,
                                       .levels = {}};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block));
  }

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block);
    std::memcpy(parts->codes, block + 2, 32);
  }

  static void Quantise(const float* x, uint8_t* block) {
    const float scale = LargestMagnitude(x) / 127.0f;
    const float inverse = InverseOf(scale);
    StoreHalf(block, scale);
    for (int j = 0; j < kRoundedBlock; ++j) {
      const float scaled = x[j] * inverse;
      // The largest float below a half: what is added rounds to the nearest
      // whole number, halves away from zero.
      const float moved = scaled + std::copysign(0x1.fffffep-2f, scaled);
      // In this order NaN becomes -127.
      block[2 + j] = static_cast<uint8_t>(
          static_cast<int8_t>(std::min(std::max(-127.0f, moved), 127.0f)));
    }
  }
};

}  // namespace

const Format kQ8_0Format = BlockFormat<Q8_0Block>(8, "Q8_0");

}  // namespace fastweights
