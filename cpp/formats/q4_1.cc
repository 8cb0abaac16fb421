// SPDX-License-Identifier: MIT
#include "formats/block_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 32 weights: f16 d, m; 16 bytes, low nibbles first.  w = d q + m
struct Q4_1Block {
  static constexpr int kColumns = 32;
  static constexpr int kBytes = 20;
  static constexpr int kGroup = 32;
  static constexpr bool kOffsets = true;

  static void Unpack(const uint8_t* block, int8_t* codes, float* scale,
                     float* offset) {
    scale[0] = LoadHalf(block);
    offset[0] = LoadHalf(block + 2);
    for (int i = 0; i < 16; ++i) {
      const uint8_t pair = block[4 + i];
      codes[i] = static_cast<int8_t>(pair & 15);
      codes[i + 16] = static_cast<int8_t>(pair >> 4);
    }
  }
};

}  // namespace

const Format kQ4_1Format = BlockFormat<Q4_1Block>(3, "Q4_1");

}  // namespace fastweights
