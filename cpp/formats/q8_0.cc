// SPDX-License-Identifier: MIT
#include <cstring>

#include "formats/block_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 32 weights: f16 d; int8 q[32].  w = d q
struct Q8_0Block {
  static constexpr int kBytes = 34;
  static constexpr TileLayout kTile = {.bits = 8,
                                       .group = 32,
                                       .offsets = false,
                                       .block = 32,
                                       .zero_point = 0,
                                       .levels = nullptr};

  static void Unpack(const uint8_t* block, BlockParts* parts) {
    parts->scale = LoadU16(block);
    std::memcpy(parts->codes, block + 2, 32);
  }
};

}  // namespace

const Format kQ8_0Format = BlockFormat<Q8_0Block>(8, "Q8_0");

}  // namespace fastweights
