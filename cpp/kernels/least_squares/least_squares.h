// SPDX-License-Identifier: MIT
#pragma once

// The gain of recursive least squares, which makes of the delta rule the exact
// solution of the regression of all values so far on their keys: with P_0 =
// I / delta, for every head, token by token,
//
//   gain = P k / (lambda + k . P k)
//   P   <- (P - gain (P k)^T) / lambda
//   S   <- S + gain (v - S^T k)^T      the general cell, erasing along the gain
//
// leaves in S, begun at zero, what minimises, with lambda the same throughout,
// sum_s lambda^(t-s) |S^T k_s - v_s|^2 + lambda^t delta |S|^2 (Plackett 1950;
// Haykin, Adaptive Filter Theory, chapter 10).

namespace fastweights {

struct LeastSquaresShape {
  int key_heads;
  int key_dim;  // multiple of 4
  // Where lambda is below 1, P grows by 1 / lambda a token in directions that
  // keys do not reach. A token that finds an element of P above lambda *
  // largest takes lambda for 1. Infinity lets P grow.
  float largest;
};

struct LeastSquaresArgs {
  const float* k;  // [tokens, key_heads, key_dim]
  int k_stride;    // floats from one token to the next
  // [tokens, key_heads], what is left of the weight of earlier tokens, above 0
  // and at most 1; null for 1.
  const float* lambda;
  // [key_heads], of each [key_dim, key_dim] the A in P = A A^T, by rows; read
  // and written.
  float* root;
  int root_stride;  // floats from one head to the next
  float* gain;      // [tokens, key_heads, key_dim]; not an input
  int gain_stride;  // floats from one token to the next
};

// A = I / sqrt(delta), of one head; delta > 0.
void LeastSquaresStart(const LeastSquaresShape& shape, float delta,
                       float* root);

// The definition, on P itself: float64 throughout, no SIMD. Leaves P's
// triangular root. Linked into tests only.
void LeastSquaresGainNaive(int tokens, const LeastSquaresShape& shape,
                           const LeastSquaresArgs& args);

inline int LeastSquaresScratchFloats(const LeastSquaresShape& shape) {
  return 2 * shape.key_dim;
}

// One head, all tokens. Heads do not touch each other's root or gain; scratch
// is the head's alone. By Potter's square root update (Bierman, Factorization
// Methods for Discrete Sequential Estimation, 1977), which cannot leave P
// indefinite however it rounds: P itself, in float32, can run to infinity after
// a delta of 1e-6. A gain is good to some 1e-7 (1 + |k|^2 |P|) of its length.
// Each token reads and writes the root once, and one read begins a call.
void LeastSquaresGain(int tokens, const LeastSquaresShape& shape,
                      const LeastSquaresArgs& args, int head, float* scratch);

}  // namespace fastweights
