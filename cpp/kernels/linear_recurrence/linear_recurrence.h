// SPDX-License-Identifier: MIT
#pragma once

// The recurrent cell that most linear-attention systems share. For every head,
// token by token:
//
//   S <- Diag(exp g) S              decay:  none | per head | per key channel
//   e  = S^T k                      recall what is stored under the key
//   u  = beta (v - e)   or   v      erase:  delta rule | none
//   S <- S + k u^T                  write
//   o  = S^T q                      read
//
// DeltaNet (Yang et al. 2024) is the delta rule without decay, Gated DeltaNet
// (Yang et al. 2024) with one decay per head, Kimi Delta Attention with one
// per key channel; without erasure these are linear attention (Katharopoulos
// et al. 2020), RetNet and Mamba-2, and GLA.

namespace fastweights {

enum class Decay { kNone, kPerHead, kPerChannel };
enum class Erase { kNone, kDelta };

// Which key head a value head reads when there are fewer key heads.
enum class KeyHeads {
  kTiled,    // value head j reads key head j % key_heads (GGUF files)
  kGrouped,  // value head j reads key head j / (heads / key_heads)
};

struct LinearRecurrenceShape {
  Decay decay;
  Erase erase;
  KeyHeads order;
  int heads;      // value heads
  int key_heads;  // divides heads
  int key_dim;    // multiple of 4
  int value_dim;  // multiple of 4
};

// Row-major, rows of one token contiguous; `*_stride` is the distance in
// floats from one token to the next. q is already scaled and, where the model
// asks for it, normalised.
struct LinearRecurrenceArgs {
  const float* q;  // [tokens, key_heads, key_dim]
  int q_stride;
  const float* k;  // [tokens, key_heads, key_dim]
  int k_stride;
  const float* v;  // [tokens, heads, value_dim]
  int v_stride;
  const float* g;     // [tokens, heads] or [tokens, heads, key_dim], log decay,
                      // <= 0; null without decay
  const float* beta;  // [tokens, heads], 0 to 2; null without erasure
  float* state;       // [heads, key_dim, value_dim], read and written
  float* out;         // [tokens, heads, value_dim], dense; not an input
};

// The definition: float64 throughout, no SIMD. Linked into tests only.
void LinearRecurrenceNaive(int tokens, const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args);

// One pass over the state per token: recall and read come from one reading,
// since o = S_decayed^T q + (k.q) u. The state of sixteen value columns stays
// in the first-level cache for all the tokens of a call. No scratch.
void LinearRecurrenceRecurrent(int tokens, const LinearRecurrenceShape& shape,
                               const LinearRecurrenceArgs& args);

}  // namespace fastweights
