// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "formats/xnnpack.h"
#include "kernels/simd.h"

namespace fastweights {

// Weights of 16 or 32 bits in tiles of kGemmRows rows, column by column:
// [columns, kGemmRows]; rows beyond the matrix are zero. `Weight` knows a type:
//
//   Stored            an element
//   ToFloat(stored)   its value
//   Loader()(from)    the values of four of them
//   IsPlain(stored)   whether Loader gets it right
//   kMostTokens       for which TileProduct is faster than XNNPACK
//
// A sum runs over the columns in order, in one accumulator, as in XNNPACK's
// kernels: a token's result does not depend on its batch.

// Elements before the weights of a tile: 32-bit tiles are in XNNPACK's order,
// which begins with biases.
template <class Weight>
constexpr int kTileHead = sizeof(typename Weight::Stored) == sizeof(float)
                              ? kGemmRows
                              : 0;

template <class Weight>
size_t TileElements(int columns) {
  return kGemmRows * static_cast<size_t>(columns) + kTileHead<Weight>;
}

// kTokens rows of x [kTokens, columns] by `rows` rows of consecutive tiles,
// kTiles at a time: 2 * kTiles * kTokens independent sums hide the latency of
// the multiplications.
template <class Weight, int kTiles, int kTokens>
void DenseProduct(int rows, int columns, const typename Weight::Stored* tiles,
                  const float* x, float* out, int out_stride) {
  constexpr int kVectors = kGemmRows / 4;
  constexpr int kRows = kTiles * kGemmRows;
  const size_t tile_elements = TileElements<Weight>(columns);
  const typename Weight::Loader load;
  // As long as a row lies in the last of kTiles tiles.
  for (; rows > kRows - kGemmRows; rows -= kRows) {
    F32x4 sums[kTokens][kTiles * kVectors];
    for (auto& token_sums : sums) {
      for (F32x4& sum : token_sums) sum = Splat(0.0f);
    }
    const typename Weight::Stored* column = tiles + kTileHead<Weight>;
    for (int c = 0; c < columns; ++c, column += kGemmRows) {
      F32x4 inputs[kTokens];
      for (int t = 0; t < kTokens; ++t) inputs[t] = Splat(x[t * columns + c]);
      for (int i = 0; i < kTiles * kVectors; ++i) {
        const F32x4 weights =
            load(column + i / kVectors * tile_elements + i % kVectors * 4);
        for (int t = 0; t < kTokens; ++t) {
          sums[t][i] = MulAdd(inputs[t], weights, sums[t][i]);
        }
      }
    }
    for (int t = 0; t < kTokens; ++t) {
      float all[kRows];
      float* to = out + static_cast<size_t>(t) * out_stride;
      float* whole = rows < kRows ? all : to;
      for (int i = 0; i < kTiles * kVectors; ++i) {
        Store(whole + 4 * i, sums[t][i]);
      }
      if (rows < kRows) std::copy_n(all, rows, to);
    }
    tiles += kTiles * tile_elements;
    out += kRows;
  }
  if constexpr (kTiles > 1) {
    if (rows > 0) {
      DenseProduct<Weight, kTiles / 2, kTokens>(rows, columns, tiles, x, out,
                                                out_stride);
    }
  }
}

// The same for any number of tokens, in blocks of at most four.
template <class Weight>
void DenseProduct(int tokens, int rows, int columns,
                  const typename Weight::Stored* tiles, const float* x,
                  float* out, int out_stride) {
  for (int t = 0; t < tokens; t += 4) {
    const auto run = [&](auto product) {
      product(rows, columns, tiles, x + static_cast<size_t>(t) * columns,
              out + static_cast<size_t>(t) * out_stride, out_stride);
    };
    switch (tokens - t) {
      case 1:
        run(DenseProduct<Weight, 4, 1>);
        break;
      case 2:
        run(DenseProduct<Weight, 2, 2>);
        break;
      case 3:
        run(DenseProduct<Weight, 2, 3>);
        break;
      default:
        run(DenseProduct<Weight, 1, 4>);
    }
  }
}

// A tile of 16-bit weights in XNNPACK's order; `plain`: all of them are.
template <class Weight>
void WidenTile(const typename Weight::Stored* tile, int columns, bool plain,
               float* packed) {
  std::fill_n(packed, kGemmRows, 0.0f);
  packed += kGemmRows;
  const int count = columns * kGemmRows;
  if (plain) {
    const typename Weight::Loader load;
    for (int i = 0; i < count; i += 4) Store(packed + i, load(tile + i));
  } else {
    for (int i = 0; i < count; ++i) packed[i] = Weight::ToFloat(tile[i]);
  }
}

}  // namespace fastweights
