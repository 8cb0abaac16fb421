// SPDX-License-Identifier: MIT
#include <cstring>

#include "formats/block_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 32 weights: f16 d; int8 q[32].  w = d q
struct Q8_0Block {
  static constexpr int kColumns = 32;
  static constexpr int kBytes = 34;
  static constexpr int kGroup = 32;
  static constexpr bool kOffsets = false;

  static void Unpack(const uint8_t* block, int8_t* codes, float* scale,
                     float*) {
    scale[0] = LoadHalf(block);
    std::memcpy(codes, block + 2, 32);
  }
};

}  // namespace

const Format kQ8_0Format = BlockFormat<Q8_0Block>(8, "Q8_0");

}  // namespace fastweights
