// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/arena.h"
#include "formats/tile_layout.h"

namespace fastweights {

// How a product with tiles is divided, whatever their type.

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

// Tasks that threads share `tiles` tiles as.
inline int TileTasks(int threads, int tiles, size_t tile_bytes) {
  // A task of fewer bytes costs less than handing it to another thread.
  constexpr size_t kTaskBytes = 32 << 10;
  // Tasks a thread, so that one that is held up leaves some to the others.
  constexpr int kTasksOfThread = 4;
  if (threads == 1) return 1;
  const size_t most = tile_bytes * static_cast<size_t>(tiles) / kTaskBytes;
  return static_cast<int>(std::clamp<size_t>(
      std::min<size_t>(most, static_cast<size_t>(threads) * kTasksOfThread), 1,
      static_cast<size_t>(tiles)));
}

}  // namespace fastweights
