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

}  // namespace fastweights
