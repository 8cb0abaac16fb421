// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "formats/product_input.h"

namespace fastweights {

// Rows that Int8Product takes at once.
inline constexpr int kProductRows = 4;

// Up to kProductRows unpacked weight rows (see BlockLayout).
struct UnpackedRows {
  int rows;
  int columns;           // multiple of 32
  int group;             // 16 or 32
  const int8_t* codes;   // [rows, columns]
  const float* scales;   // [rows, columns / group]
  const float* offsets;  // [rows, columns / 32], or null
};

// out[t][r] = sum_c w[r][c] x[t][c], the dot products exact in integers within
// a group and summed over groups in float.
//   out  [tokens, rows], rows of out `out_stride` floats apart
void Int8Product(const UnpackedRows& weights, int tokens,
                 const QuantisedInput& x, float* out, int out_stride);

}  // namespace fastweights
