// SPDX-License-Identifier: MIT
#include "formats/block_linear.h"
#include "formats/half.h"
#include "formats/k_scales.h"

namespace fastweights {
namespace {

// As Q4_K, with a fifth bit of each weight in 32 bytes before the nibbles:
// bit g of byte i belongs to weight i of group g.
struct Q5KBlock {
  static constexpr int kColumns = 256;
  static constexpr int kBytes = 176;
  static constexpr int kGroup = 32;
  static constexpr bool kOffsets = true;

  static void Unpack(const uint8_t* block, int8_t* codes, float* scale,
                     float* offset) {
    const float d = LoadHalf(block), dmin = LoadHalf(block + 2);
    const uint8_t* fifth = block + 16;
    for (int g = 0; g < 8; ++g) {
      const GroupScale six_bits = UnpackGroupScale(block + 4, g);
      scale[g] = d * static_cast<float>(six_bits.scale);
      offset[g] = -dmin * static_cast<float>(six_bits.minimum);
      const uint8_t* pairs = block + 48 + g / 2 * 32;
      const int shift = g % 2 * 4;
      for (int i = 0; i < 32; ++i) {
        codes[32 * g + i] = static_cast<int8_t>((pairs[i] >> shift & 15) |
                                                (fifth[i] >> g & 1) << 4);
      }
    }
  }
};

}  // namespace

const Format kQ5KFormat = BlockFormat<Q5KBlock>(13, "Q5_K");

}  // namespace fastweights
