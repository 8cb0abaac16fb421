// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace fastweights {

// XNNPACK's micro-kernels: pure functions over weights in its order.

// Float32. Rows that are packed together, a tile.
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

// Int8 (qd8-f32-qc8w): a weight is its code times the scale of its row, an
// input (code - zero point) times the scale of its token.
struct TokenScale {
  int32_t zero_point;
  float scale;
};

// Bytes from one token's codes to the next one's; what lies between is read and
// multiplied by zero. The last row is followed by kInt8ExtraBytes that are
// read, the last token's scale by kInt8ExtraScales times itself: a kernel takes
// the last token as often as its block has room, and writes it as often.
inline constexpr size_t Int8InputBytes(int columns) {
  return (static_cast<size_t>(columns) + 15) / 16 * 16;
}
inline constexpr int kInt8ExtraBytes = 16;
inline constexpr int kInt8ExtraScales = 10;

// Rows of a tile: 8 or 4, as the engine's dot product decides.
int Int8TileRows();
size_t Int8TileBytes(int columns);

// Packs codes [rows, columns] of as many rows as a tile has, or fewer, and
// their scales.
void PackInt8Tile(int rows, int columns, const int8_t* codes,
                  const float* scales, uint8_t* tile);

// Row `row` of a tile as floats, [columns].
void UnpackInt8Row(const uint8_t* tile, int row, int columns, float* out);

// out [tokens, rows] = x [tokens, columns] W^T, rows of out out_stride >= rows
// floats apart.
void Int8Gemm(int tokens, int rows, int columns, const int8_t* x,
              const TokenScale* x_scales, const uint8_t* tiles, float* out,
              int out_stride);

}  // namespace fastweights
