// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// Rotary position embedding (Su et al., RoFormer, 2021): for i < rotary_dim / 2
// pair i turns by position * base^(-2 i / rotary_dim); the dims from rotary_dim
// on stay.

enum class RopePairs {
  kHalves,      // pair i is (x[i], x[i + rotary_dim / 2]), as in GPT-NeoX
  kNeighbours,  // pair i is (x[2 i], x[2 i + 1]), as in the paper
};

// The angles of `tokens` positions from `position` on.
//   cos, sin  [tokens, rotary_dim / 2]
void RopeAngles(int tokens, int position, int rotary_dim, float base,
                float* cos, float* sin);

// Turns x [heads, dim] of one token in place, heads head_stride floats apart.
//   cos, sin  [rotary_dim / 2]
void Rope(int heads, int rotary_dim, RopePairs order, const float* cos,
          const float* sin, float* x, int head_stride);

}  // namespace fastweights
