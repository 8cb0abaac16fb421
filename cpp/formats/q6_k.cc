// SPDX-License-Identifier: MIT
#include "formats/block_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// 256 weights in 16 groups: 128 bytes of low nibbles, 64 bytes of upper bit
// pairs, 16 int8 scales, f16 d.  w = d scale (q - 32)
struct Q6KBlock {
  static constexpr int kColumns = 256;
  static constexpr int kBytes = 210;
  static constexpr int kGroup = 16;
  static constexpr bool kOffsets = false;

  static void Unpack(const uint8_t* block, int8_t* codes, float* scale,
                     float*) {
    const float d = LoadHalf(block + 208);
    for (int g = 0; g < 16; ++g) {
      const int8_t eight_bits = static_cast<int8_t>(block[192 + g]);
      scale[g] = d * static_cast<float>(eight_bits);
    }
    // Each half of 128 has four quarters of 32: quarters 0 and 1 are the low
    // nibbles of 64 bytes, 2 and 3 the high ones; quarter p's upper bits are
    // bits 2p and 2p + 1 of 32 bytes.
    for (int i = 0; i < 256; ++i) {
      const int half = i / 128, quarter = i % 128 / 32, l = i % 32;
      const uint8_t low = block[64 * half + quarter % 2 * 32 + l];
      const uint8_t upper = block[128 + 32 * half + l];
      const int q = (low >> quarter / 2 * 4 & 15) | (upper >> 2 * quarter & 3)
                                                        << 4;
      codes[i] = static_cast<int8_t>(q - 32);
    }
  }
};

}  // namespace

const Format kQ6KFormat = BlockFormat<Q6KBlock>(14, "Q6_K");

}  // namespace fastweights
