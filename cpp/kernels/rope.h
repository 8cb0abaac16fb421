// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// Rotary position embedding (Su et al., RoFormer, 2021) with NeoX pairing:
// for i < rotary_dim / 2 the pair (x[i], x[i + rotary_dim / 2]) turns by
// position * base^(-2 i / rotary_dim); the dims from rotary_dim on stay.

// The angles of `tokens` positions from `position` on.
//   cos, sin  [tokens, rotary_dim / 2]
void RopeAngles(int tokens, int position, int rotary_dim, float base,
                float* cos, float* sin);

// Turns x [heads, dim] of one token in place, heads head_stride floats apart.
//   cos, sin  [rotary_dim / 2]
void Rope(int heads, int rotary_dim, const float* cos, const float* sin,
          float* x, int head_stride);

}  // namespace fastweights
