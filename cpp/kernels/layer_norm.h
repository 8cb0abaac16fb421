// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// out = (x - mean(x)) / sqrt(var(x) + epsilon) * weight + bias, row by row.
// Ba, Kiros & Hinton, Layer Normalization, 2016.
//   x             [rows, dim], rows x_stride floats apart
//   weight, bias  [dim]; bias may be null
//   out           [rows, dim], rows out_stride floats apart; may be x
// dim % 4 == 0.
void LayerNorm(int rows, int dim, const float* x, int x_stride,
               const float* weight, const float* bias, float epsilon,
               float* out, int out_stride);

}  // namespace fastweights
