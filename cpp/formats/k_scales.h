// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "formats/tile_layout.h"

namespace fastweights {

// Scales and minima of the eight groups from the 12 bytes that Q4_K and Q5_K
// share: those of groups 0-3 lie in the low six bits of bytes 0-3 and 4-7,
// those of groups 4-7 in the nibbles of bytes 8-11 and the upper two bits of
// bytes 0-7. A minimum is subtracted, so its offset is negative.
inline void UnpackGroupScales(const uint8_t* packed, BlockParts* parts) {
  for (int g = 0; g < 4; ++g) {
    const uint8_t low = packed[g], high = packed[g + 4], both = packed[g + 8];
    parts->scales[g] = static_cast<int8_t>(low & 63);
    parts->offsets[g] = static_cast<int8_t>(-(high & 63));
    parts->scales[g + 4] = static_cast<int8_t>((both & 15) | low >> 6 << 4);
    parts->offsets[g + 4] = static_cast<int8_t>(-(both >> 4 | high >> 6 << 4));
  }
}

// The bytes for scales [8] and minima [8] below 64.
inline void PackGroupScales(const uint8_t* scales, const uint8_t* minima,
                            uint8_t* packed) {
  for (int g = 0; g < 4; ++g) {
    packed[g] = static_cast<uint8_t>(scales[g] | scales[g + 4] >> 4 << 6);
    packed[g + 4] = static_cast<uint8_t>(minima[g] | minima[g + 4] >> 4 << 6);
    packed[g + 8] =
        static_cast<uint8_t>((scales[g + 4] & 15) | (minima[g + 4] & 15) << 4);
  }
}

}  // namespace fastweights
