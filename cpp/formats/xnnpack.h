// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fastweights {

// XNNPACK's float32 micro-kernel: a pure function over weights in its order.

// Rows that are packed together, a tile.
#ifdef __wasm_simd128__
inline constexpr int kGemmRows = 8;
#else
inline constexpr int kGemmRows = 4;
#endif

// A tile is the biases of its rows, then the rows' weights column by column:
// [1 + columns, kGemmRows].
inline constexpr size_t GemmTileFloats(int columns) {
  return kGemmRows * (static_cast<size_t>(columns) + 1);
}

// out [tokens, rows] = x [tokens, columns] W^T. Rows of x are x_stride >=
// columns floats apart, rows of out out_stride >= rows. `tiles` holds as many
// whole tiles as `rows` touch, one after another.
void Gemm(int tokens, int rows, int columns, const float* x, int x_stride,
          const float* tiles, float* out, int out_stride);

}  // namespace fastweights
