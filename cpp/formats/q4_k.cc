// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "formats/block_format.h"
#include "formats/fit_scales.h"
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
                                       .scales = TileScales::kIntegers,
                                       .zero_point = 0,
                                       .levels = {}};

  static bool IsFinite(const uint8_t* block) {
    return IsFiniteHalf(LoadU16(block)) && IsFiniteHalf(LoadU16(block + 2));
  }

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

  static void Quantise(const float* x, uint8_t* block) {
    ScaleAndMinimum fits[8];
    float most_scale = 0.0f, most_minimum = 0.0f;
    // NaN where a fit is: no product with such a block is finite.
    float zero = 0.0f;
    for (int group = 0; group < 8; ++group) {
      fits[group] = FitScaleAndMinimum(x + 32 * group, 15);
      most_scale = std::max(most_scale, fits[group].scale);
      most_minimum = std::max(most_minimum, fits[group].minimum);
      zero += fits[group].scale * 0.0f;
    }
    const float d = StoreHalf(block, most_scale / 63.0f + zero);
    const float dmin = StoreHalf(block + 2, most_minimum / 63.0f);
    uint8_t scales[8], minima[8];
    for (int group = 0; group < 8; ++group) {
      scales[group] = SixBits(fits[group].scale, d);
      minima[group] = SixBits(fits[group].minimum, dmin);
    }
    PackGroupScales(scales, minima, block + 4);
    for (int pair = 0; pair < 4; ++pair) {
      uint8_t codes[64];
      for (int half = 0; half < 2; ++half) {
        const int group = 2 * pair + half;
        Round(x + 32 * group, d * static_cast<float>(scales[group]),
              dmin * static_cast<float>(minima[group]), codes + 32 * half);
      }
      for (int i = 0; i < 32; ++i) {
        block[16 + 32 * pair + i] =
            static_cast<uint8_t>(codes[i] | codes[32 + i] << 4);
      }
    }
  }

 private:
  // The nearest whole number of units.
  static uint8_t SixBits(float value, float unit) {
    if (unit == 0.0f) return 0;
    return static_cast<uint8_t>(
        std::min(std::max(0.0f, std::nearbyint(value / unit)), 63.0f));
  }

  // The nearest codes [32] of scale * q - minimum.
  static void Round(const float* x, float scale, float minimum,
                    uint8_t* codes) {
    const float inverse = scale == 0.0f ? 0.0f : 1.0f / scale;
    for (int i = 0; i < 32; ++i) {
      const float moved = x[i] + minimum;
      const float code = moved * inverse;
      // In this order NaN becomes 0.
      codes[i] = static_cast<uint8_t>(
          std::nearbyint(std::min(std::max(0.0f, code), 15.0f)));
    }
  }
};

}  // namespace

const Format kQ4KFormat = BlockFormat<Q4KBlock>(12, "Q4_K");

}  // namespace fastweights
