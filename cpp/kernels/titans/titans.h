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

namespace fastweights {

struct TitansShape {
  int heads;
  int key_dim;    // multiple of 4
  int value_dim;  // multiple of 4
};

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
  float* state;        // [heads]: a head's M, then its S, TitansStateFloats in
                       // all; read and written
  int state_stride;    // floats from one head to the next
  float* out;          // [tokens, heads, value_dim]; may be v
  int out_stride;
};

inline int TitansStateFloats(const TitansShape& shape) {
  return 2 * shape.key_dim * shape.value_dim;
}

// Where (key, column) of a head's M is, in strips as the general cell's state;
// of S it is key_dim * value_dim floats further on.
inline int StateIndex(const TitansShape& shape, int key, int column) {
  LinearRecurrenceShape cell{};
  cell.key_dim = shape.key_dim;
  cell.value_dim = shape.value_dim;
  return StateIndex(cell, key, column);
}

// The definition: float64 throughout, no SIMD. Linked into tests only.
void TitansNaive(int tokens, const TitansShape& shape, const TitansArgs& args);

// One head, all tokens. Heads do not touch each other's state or output. Each
// token reads and writes the states once, and one read begins a call: while a
// token is written the next one is recalled. No scratch.
void TitansRecurrent(int tokens, const TitansShape& shape,
                     const TitansArgs& args, int head);

}  // namespace fastweights
