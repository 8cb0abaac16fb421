// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// RWKV's token shift: each channel between a token and the one before it.
//
//   out_t = x_t + (x_{t-1} - x_t) * (mix + extra_t)
//
// Peng et al., RWKV: Reinventing RNNs for the Transformer Era, 2023; a mix that
// depends on the token: Eagle and Finch, 2024.
//   previous  [dim], the row before the first; zeros before a text
//   x         [rows, dim]
//   mix       [dim]
//   extra     [rows, dim], or null for none
//   out       [rows, dim]; may be extra, not x
// dim % 4 == 0; arrays are dense.
void TokenShift(int rows, int dim, const float* previous, const float* x,
                const float* mix, const float* extra, float* out);

}  // namespace fastweights
