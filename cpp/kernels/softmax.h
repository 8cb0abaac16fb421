// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// out_i = exp(scale x_i) / sum_j exp(scale x_j), without overflow. x and out
// [dim], out may be x; dim a multiple of 4, scale >= 0.
void Softmax(int dim, float scale, const float* x, float* out);

// sum_i exp(x_i - top) of x [count], top the largest of them.
float SumExp(int count, float top, const float* x);

}  // namespace fastweights
