// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// out = x / sqrt(mean(x^2) + epsilon) * weight, row by row.
// Zhang & Sennrich, Root Mean Square Layer Normalization, 2019.
//   x       [rows, dim], rows x_stride floats apart
//   weight  [dim]
//   out     [rows, dim], rows out_stride floats apart; may be x
// dim % 4 == 0.
void RmsNorm(int rows, int dim, const float* x, int x_stride,
             const float* weight, float epsilon, float* out, int out_stride);

// out = RmsNorm(x) * silu(gate): normalised first, then gated, as the output
// of a gated delta net. Arrays are dense [rows, dim]; out may be x.
void RmsNormGated(int rows, int dim, const float* x, const float* weight,
                  float epsilon, const float* gate, float* out);

// x = x / sqrt(sum(x^2) + epsilon) * scale, row by row, in place.
//   x  [rows, dim], rows stride floats apart
// dim % 4 == 0.
void L2Normalise(int rows, int dim, float* x, int stride, float epsilon,
                 float scale);

}  // namespace fastweights
