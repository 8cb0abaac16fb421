// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "base/arena.h"
#include "formats/tile_layout.h"

namespace fastweights {

// Tokens of which no type's product takes tiles apart.
inline constexpr int kMostFewTokens = 48;

// Scratch of each thread that takes tiles apart: the arrays of tile_panel.h's
// Panel.
inline size_t TileScratchBytes(const TileLayout& layout, int columns) {
  const size_t codes = static_cast<size_t>(columns) * kTileRows;
  const size_t scales = codes / static_cast<size_t>(layout.group);
  const size_t kinds = layout.offsets ? 2 : 1;
  if (!HasIntegerScales(layout)) {
    return AlignedBytes(codes) + AlignedBytes(scales * sizeof(float)) * kinds;
  }
  const size_t blocks = codes / static_cast<size_t>(layout.block);
  // Codes of 16 bits: those of 8 with their scales, which other dot products
  // take, are fewer bytes.
  return AlignedBytes(codes * sizeof(int16_t)) +
         AlignedBytes(blocks * sizeof(float) * kinds) +
         (layout.offsets ? AlignedBytes(scales * sizeof(int16_t)) : 0);
}

}  // namespace fastweights
