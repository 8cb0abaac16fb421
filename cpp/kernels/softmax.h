// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// out_i = exp(scale x_i) / sum_j exp(scale x_j), without overflow. x and out
// [dim], out may be x; dim a multiple of 4, scale >= 0.
void Softmax(int dim, float scale, const float* x, float* out);

}  // namespace fastweights
