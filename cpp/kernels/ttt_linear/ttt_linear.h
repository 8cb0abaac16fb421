// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/linear_recurrence/linear_recurrence.h"

// TTT-Linear (Sun et al., Learning to (Learn at Test Time), 2024): a head's
// state is a linear layer W, b that learns to take keys to values through a
// layer norm, one gradient step per mini-batch. Token t of a mini-batch, all of
// whose gradients are taken at the W and b it began with:
//
//   z_t = W^T k_t + b
//   g_t = gradient in z of |LN(z_t) - (v_t - k_t)|^2 / 2
//   W_t = W - eta_t sum_{s <= t} lr_s k_s g_s^T
//   b_t = b - eta_t sum_{s <= t} lr_s g_s
//   y_t = W_t^T q_t + b_t
//   o_t = q_t + LN(y_t)
//
// and the mini-batch leaves W and b of its last token. LN(z) = gamma (z -
// mean(z)) / sqrt(var(z) + epsilon) + beta.

namespace fastweights {

inline constexpr int kMaxMiniBatch = 64;

// What the normalised output is added to.
enum class TttResidual {
  kQuery,   // q_t, as in the paper
  kOutput,  // y_t, as flash-linear-attention has it
};

struct TttLinearShape {
  TttResidual residual;
  int heads;
  int dim;         // of keys and of values, multiple of 4
  int mini_batch;  // 1 to kMaxMiniBatch tokens; the paper has 16
  float epsilon;   // the paper has 1e-6
};

// Rows of one token contiguous; `*_stride` is the distance in floats from one
// token to the next. q and k have their rotation, q its scale.
struct TttLinearArgs {
  const float* q;  // [tokens, heads, dim]
  int q_stride;
  const float* k;  // [tokens, heads, dim]
  int k_stride;
  const float* v;  // [tokens, heads, dim]
  int v_stride;
  const float* eta;    // [tokens, heads], rate of the token that reads
  const float* lr;     // [tokens, heads], of the token that is learned from;
                       // null for 1
  const float* gamma;  // [heads, dim], weight of the norm
  const float* beta;   // [heads, dim], its bias
  float* state;      // [heads], of each TttLinearStateFloats; read and written
  int state_stride;  // floats from one head to the next
  float* out;        // [tokens, heads, dim]; not an input
  int out_stride;
};

// A head's W, [dim, dim] in strips as the general cell's state, its b [dim],
// then of each token since the mini-batch's start its k and its lr g, [2,
// mini_batch, dim]: zero before the first token.
inline int TttLinearStateFloats(const TttLinearShape& shape) {
  return shape.dim * (shape.dim + 1 + 2 * shape.mini_batch);
}

// Where (key, column) of a head's W is.
inline int StateIndex(const TttLinearShape& shape, int key, int column) {
  LinearRecurrenceShape cell{};
  cell.key_dim = cell.value_dim = shape.dim;
  return StateIndex(cell, key, column);
}

// The definition: float64 throughout, no SIMD. Begins with a mini-batch; W and
// b become what the last whole one leaves. Linked into tests only.
void TttLinearNaive(int tokens, const TttLinearShape& shape,
                    const TttLinearArgs& args);

// One head, all tokens. Heads do not touch each other's state or output. A
// token only reads W and b, which change where a mini-batch ends. One begins at
// each position that is a multiple of mini_batch; position is the text's length
// before the call. No split of a text changes a bit. No scratch.
void TttLinear(int position, int tokens, const TttLinearShape& shape,
               const TttLinearArgs& args, int head);

}  // namespace fastweights
