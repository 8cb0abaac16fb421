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
  static constexpr int kColumns = 256;
  static constexpr int kBytes = 144;
  static constexpr int kGroup = 32;
  static constexpr bool kOffsets = true;

  static void Unpack(const uint8_t* block, int8_t* codes, float* scale,
                     float* offset) {
    const float d = LoadHalf(block), dmin = LoadHalf(block + 2);
    for (int g = 0; g < 8; ++g) {
      const GroupScale six_bits = UnpackGroupScale(block + 4, g);
      scale[g] = d * static_cast<float>(six_bits.scale);
      offset[g] = -dmin * static_cast<float>(six_bits.minimum);
      const uint8_t* pairs = block + 16 + g / 2 * 32;
      const int shift = g % 2 * 4;
      for (int i = 0; i < 32; ++i) {
        codes[32 * g + i] = static_cast<int8_t>(pairs[i] >> shift & 15);
      }
    }
  }
};

}  // namespace

const Format kQ4KFormat = BlockFormat<Q4KBlock>(12, "Q4_K");

}  // namespace fastweights
