// SPDX-License-Identifier: MIT
#pragma once

// Rows of attention that go over pages together. Included by streaming.cc
// alone.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/exp.h"
#include "kernels/simd.h"
#include "kernels/softmax_attention/row_tiles.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// Queries that read some key/value heads, and where each stands: as many of
// each head, of the same tokens.
struct AttentionBlock {
  int head;  // the first
  int heads;
  int head_rows;
  int rows;  // in all
  const float* q[kAttentionRows];
  float* out[kAttentionRows];  // sums over positions so far, unnormalised
  int first[kAttentionRows];   // position that it sees, a head's ascending
  int length[kAttentionRows];  // one past the last, a head's ascending
  float top[kAttentionRows];   // best score so far
  float total[kAttentionRows];
  float rescale[kAttentionRows];  // of what came before a page
  // Scores, then their softmax.
  alignas(16) float weight[kAttentionRows][kPageTokens];
  // Of kInt8: the query in whole numbers up from zero, as QueryDot takes it.
  const uint8_t* codes[kAttentionRows];
  float unit[kAttentionRows];  // what one of them is, times the scale

  // Calls tile(rows, row) for tiles of all rows, none of two heads.
  template <int kTile, typename F>
  void ForEachTile(const F& tile) const {
    for (int row = 0; row < rows; row += head_rows) {
      fastweights::ForEachTile<kTile>(row, row + head_rows, tile);
    }
  }

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
    const int begin = first / 8 * 8;
    std::fill(x + begin, x + first, -INFINITY);
    std::fill(x + count, x + kPageTokens, -INFINITY);
    F32x4 tops[2] = {Splat(top[r]), Splat(top[r])};
    for (int s = begin; s < count; s += 8) {
      tops[0] = Max(tops[0], Load(x + s));
      tops[1] = Max(tops[1], Load(x + s + 4));
    }
    const float best = Largest(Max(tops[0], tops[1]));
    if (best != top[r]) rescale[r] = std::exp(top[r] - best);
    top[r] = best;
    // Two at once: each waits for its own steps.
    const F32x4 bests = Splat(best);
    for (int s = begin; s < count; s += 8) {
      const F32x4 a = exp(Sub(Load(x + s), bests));
      const F32x4 b = exp(Sub(Load(x + s + 4), bests));
      Store(x + s, a);
      Store(x + s + 4, b);
    }
    // Exp is never zero.
    std::fill(x, x + first, 0.0f);
    std::fill(x + count, x + kPageTokens, 0.0f);
    F32x4 sums[2] = {Splat(0.0f), Splat(0.0f)};
    for (int s = begin; s < count; s += 8) {
      sums[0] = Add(sums[0], Load(x + s));
      sums[1] = Add(sums[1], Load(x + s + 4));
    }
    total[r] = total[r] * rescale[r] + Sum(Add(sums[0], sums[1]));
  }
};

}  // namespace fastweights
