// SPDX-License-Identifier: MIT
#pragma once

// Reads that are repeated until they settle: x <- sep(S^T x) recalls from a
// state S the pattern nearest to x, x <- V^T sep(K x) from stored patterns.
// The separation functions are those of Millidge et al., Universal Hopfield
// Networks, 2022.

namespace fastweights {

enum class Separation {
  kLinear,   // y = x: one step is linear attention
  kSign,     // -1, 0 or 1 (Hopfield 1982)
  kSoftmax,  // softmax(beta x) (Ramsauer et al. 2020): attention
};

struct SeparationArgs {
  const float* x;  // [rows, dim], similarities or what a state gave back
  int x_stride;    // floats from one row to the next
  float beta;      // inverse temperature of the softmax, >= 0; else not read
  float* out;      // [rows, dim]; may be x
  int out_stride;
};

// The definition: float64 throughout, no SIMD. Linked into tests only.
void SeparateNaive(Separation separation, int rows, int dim,
                   const SeparationArgs& args);

// dim a multiple of 4. Rows do not depend on each other.
void Separate(Separation separation, int rows, int dim,
              const SeparationArgs& args);

}  // namespace fastweights
