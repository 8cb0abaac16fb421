// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// out = x / sqrt(mean(x^2) + epsilon) * weight, row by row.
// Zhang & Sennrich, Root Mean Square Layer Normalization, 2019.
//   x       [rows, dim], rows x_stride floats apart
//   weight  [dim]; null for ones
//   out     [rows, dim], rows out_stride floats apart; may be x
void RmsNorm(int rows, int dim, const float* x, int x_stride,
             const float* weight, float epsilon, float* out, int out_stride);

// x = x + scale * out, then out = RmsNorm(x): a residual and the norm after it
// in one pass. Arrays are dense [rows, dim].
void AddRmsNorm(int rows, int dim, float scale, float* x, const float* weight,
                float epsilon, float* out);

// gate = RmsNorm(x) * silu(gate): normalised first, then gated, as the output
// of a gated delta net. Rows of x are x_stride floats apart, of gate
// gate_stride.
void RmsNormGated(int rows, int dim, const float* x, int x_stride,
                  const float* weight, float epsilon, float* gate,
                  int gate_stride);

// x = x / sqrt(sum(x^2) + epsilon) * scale, row by row, in place.
//   x  [rows, dim], rows stride floats apart
// dim % 4 == 0.
void L2Normalise(int rows, int dim, float* x, int stride, float epsilon,
                 float scale);

}  // namespace fastweights
