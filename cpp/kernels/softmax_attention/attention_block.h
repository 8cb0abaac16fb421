// SPDX-License-Identifier: MIT
#pragma once

// Rows of attention that go over pages together. Included by streaming.cc
// alone.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/exp.h"
#include "kernels/simd.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// Queries that read one key/value head, and where each stands.
struct AttentionBlock {
  int rows;
  const float* q[kAttentionRows];
  float* out[kAttentionRows];  // sums over positions so far, unnormalised
  int first[kAttentionRows];   // position that it sees, ascending
  int length[kAttentionRows];  // one past the last, ascending
  float top[kAttentionRows];   // best score so far
  float total[kAttentionRows];
  float rescale[kAttentionRows];  // of what came before a page
  // Scores, then their softmax.
  alignas(16) float weight[kAttentionRows][kPageTokens];
  // Of kInt8: the query in whole numbers up from zero, as QueryDot takes it.
  const uint8_t* codes[kAttentionRows];
  float unit[kAttentionRows];  // what one of them is, times the scale

  // Turns row r's scores [first, count) of a page into weights against the best
  // score so far; the others are nothing.
  void Softmax(const Exp& exp, int first, int count, int r) {
    float* x = weight[r];
    rescale[r] = 1.0f;
    if (first >= count) {
      // There may be no best score yet.
      std::fill(x, x + kPageTokens, 0.0f);
      return;
    }
    std::fill(x, x + first, -INFINITY);
    std::fill(x + count, x + kPageTokens, -INFINITY);
    F32x4 tops = Splat(top[r]);
    for (int s = 0; s < kPageTokens; s += 4) tops = Max(tops, Load(x + s));
    const float best = Largest(tops);
    if (best != top[r]) rescale[r] = std::exp(top[r] - best);
    top[r] = best;
    for (int s = 0; s < count; s += 4) {
      Store(x + s, exp(Sub(Load(x + s), Splat(best))));
    }
    // Exp is never zero.
    std::fill(x, x + first, 0.0f);
    std::fill(x + count, x + kPageTokens, 0.0f);
    F32x4 sum = Splat(0.0f);
    for (int s = 0; s < count; s += 4) sum = Add(sum, Load(x + s));
    total[r] = total[r] * rescale[r] + Sum(sum);
  }
};

}  // namespace fastweights
