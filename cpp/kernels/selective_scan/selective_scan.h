// SPDX-License-Identifier: MIT
#pragma once

// The selective scan of Mamba (Gu & Dao 2023): every channel d has a state of
// its own, each of whose places n decays at its own rate. Token by token:
//
//   S_dn <- exp(dt_d A_dn) S_dn + dt_d x_d B_n
//   y_d   = sum_n C_n S_dn + D_d x_d

namespace fastweights {

struct SelectiveScanShape {
  int channels;
  int state_dim;  // places of a channel's state, multiple of 4
};

// Rows of one token contiguous; `*_stride` is the distance in floats from one
// token to the next.
struct SelectiveScanArgs {
  const float* x;  // [tokens, channels]
  int x_stride;
  const float* dt;  // [tokens, channels], >= 0: after the softplus
  int dt_stride;
  const float* A;  // [channels, state_dim], < 0
  const float* B;  // [tokens, state_dim]
  int B_stride;
  const float* C;  // [tokens, state_dim]
  int C_stride;
  const float* D;  // [channels]; null for none
  float* state;    // [channels, state_dim]; read and written
  float* out;      // [tokens, channels]; may be x
  int out_stride;
};

// The definition: float64 throughout, no SIMD. Linked into tests only.
void SelectiveScanNaive(int tokens, const SelectiveScanShape& shape,
                        const SelectiveScanArgs& args);

// Channels [first, last), all tokens: they touch neither the state nor the
// output of others. No scratch.
void SelectiveScan(int tokens, const SelectiveScanShape& shape,
                   const SelectiveScanArgs& args, int first, int last);

}  // namespace fastweights
