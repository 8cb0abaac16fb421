// SPDX-License-Identifier: MIT
#pragma once

#include "formats/tile_layout.h"

namespace fastweights {

// What the codes of IQ4_NL and IQ4_XS stand for: 16 unevenly spaced levels,
// closer where more weights are.
inline constexpr CodeLevels kIq4Levels = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

}  // namespace fastweights
