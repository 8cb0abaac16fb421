// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/linear_recurrence/linear_recurrence.h"

// The linear memory of Titans (Behrouz et al. 2024), learned at test time by
// gradient descent with momentum and weight decay. A head has two states, both
// [key_dim, value_dim]: the memory M and the momentum S. Token by token:
//
//   G  = k (M^T k - v)^T       gradient of |M^T k - v|^2 / 2 at the old memory
//   S <- eta S - theta G       momentum
//   M <- (1 - alpha) M + S     forgetting, then the step
//   o  = M^T q                 read
//
// In mini-batches of more than one token the gradients of all are taken at the
// M that the first one found; the rest goes on token by token.

namespace fastweights {

struct TitansShape {
  int heads;
  int key_dim;     // multiple of 4
  int value_dim;   // multiple of 4
  int mini_batch;  // 1 to kMaxTitansMiniBatch tokens
};

inline constexpr int kMaxTitansMiniBatch = 64;

// Rows of one token contiguous; `*_stride` is the distance in floats from one
// token to the next. q is already scaled, q and k normalised where the model
// asks for it.
struct TitansArgs {
  const float* q;  // [tokens, heads, key_dim]
  int q_stride;
  const float* k;  // [tokens, heads, key_dim]
  int k_stride;
  const float* v;  // [tokens, heads, value_dim]
  int v_stride;
  const float* alpha;  // [tokens, heads], what is forgotten, 0 to 1
  const float* eta;    // [tokens, heads], what is left of the momentum, 0 to 1
  const float* theta;  // [tokens, heads], learning rate, >= 0
  float* state;        // [heads], of each M, then S, TitansStateFloats in all;
                       // read and written
  int state_stride;    // floats from one head to the next
  float* out;          // [tokens, heads, value_dim]; may be v
  int out_stride;
};

// A head's M and S; in mini-batches then, of each token since the start of one,
// its key and its update, and what weighs them; whole cache lines. Zero before
// the first token.
inline int TitansStateFloats(const TitansShape& shape) {
  const int K = shape.key_dim, V = shape.value_dim, n = shape.mini_batch;
  return 2 * K * V + (n > 1 ? (n * (K + V + 2) + 3 + 15) / 16 * 16 : 0);
}

// Where (key, column) of a head's M is, in strips as the general cell's state;
// of S it is key_dim * value_dim floats further on.
inline int StateIndex(const TitansShape& shape, int key, int column) {
  LinearRecurrenceShape cell{};
  cell.key_dim = shape.key_dim;
  cell.value_dim = shape.value_dim;
  return StateIndex(cell, key, column);
}

// The definition: float64 throughout, no SIMD. Begins with a mini-batch; M and
// S become what the last whole one leaves. Linked into tests only.
void TitansNaive(int tokens, const TitansShape& shape, const TitansArgs& args);

// One head, all tokens. Heads do not touch each other's state or output. No
// scratch.

// Mini-batches of one. Each token reads and writes the states once, and one
// read begins a call: while a token is written the next one is recalled.
void TitansRecurrent(int tokens, const TitansShape& shape,
                     const TitansArgs& args, int head);

// Mini-batches of more than one token. Each only reads the states, which change
// where a mini-batch ends. One begins at each position that is a multiple of
// mini_batch; position is the text's length before the call. No split of a text
// changes a bit.
void TitansMiniBatch(int position, int tokens, const TitansShape& shape,
                     const TitansArgs& args, int head);

}  // namespace fastweights
