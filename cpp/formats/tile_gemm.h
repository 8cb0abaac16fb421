// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "formats/panel_block.h"
#include "formats/tile_few.h"

namespace fastweights {

// Tiles [first, last) of a matrix of `rows` rows with many tokens.
template <class K>
void ManyTokens(int rows, const uint8_t* tiles, int first, int last, int tokens,
                const TileInput<typename K::Dot>& x,
                const Panel<PanelKindOf<K>>& panel, float* out,
                int out_stride) {
  using P = PanelKindOf<K>;
  // Zeros that fill up a block cost as much as tokens: one or two by
  // themselves are quicker from the packed records.
  const int rest = tokens % kTokenBlock;
  const int in_blocks = rest > 2 ? tokens : tokens - rest;
  ForRuns<K>(x.groups, first, last, 1, [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      TakeApart<K>(tiles + K::TileBytes(x.groups) * i, x.groups, panel);
      const int row = i * kTileRows;
      for (int t = 0; t < in_blocks; t += kTokenBlock) {
        PanelBlock<P>(panel, x, t / kTokenBlock,
                      std::min(tokens - t, kTokenBlock), rows - row,
                      out + row + static_cast<size_t>(t) * out_stride,
                      out_stride);
      }
    }
    const TileRun run = {from, to};
    if (rest == 1) {
      TokensOfPlaces<K, 1>(rows, tiles, 1, run, in_blocks, x, out, out_stride);
    } else if (rest == 2) {
      TokensOfPlaces<K, 2>(rows, tiles, 1, run, in_blocks, x, out, out_stride);
    }
  });
}

}  // namespace fastweights
