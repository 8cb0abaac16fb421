// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/product_input.h"
#include "formats/tile_layout.h"

namespace fastweights {

// out[t][r] = sum_c w[r][c] x[t][c] for all rows of a packed matrix: dot
// products exact in integers within a group, then summed over the groups from
// left to right in float. A token's result does not depend, to the bit, on
// how many tokens there are.
//   tiles  ceil(rows / kTileRows) tiles of columns / 32 records
//   out    [tokens, rows], rows of out `out_stride` floats apart
// One token streams the tiles once; more take the weights of a tile apart
// first, into scratch of TileScratchBytes from the input's arena.
void TileProduct(const TileLayout& layout, int rows, const uint8_t* tiles,
                 ProductInput& x, float* out, int out_stride);

// Tokens of which no kind of weights takes tiles apart.
inline constexpr int kMostFewTokens = 32;

size_t TileScratchBytes(const TileLayout& layout, int columns);

}  // namespace fastweights
