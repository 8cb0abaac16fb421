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

// A head's state is cut into strips of this many value columns (the last one of
// as many as are left), each [key_dim, columns] and contiguous: a strip of 128
// keys is 8 KB that the first-level cache keeps, where rows of all the columns
// fall on the same few of its sets.
inline constexpr int kStripColumns = 16;

// Where state (key, column) of head 0 is; a head has key_dim * value_dim.
inline int StateIndex(const LinearRecurrenceShape& shape, int key, int column) {
  const int first = column / kStripColumns * kStripColumns;
  const int left = shape.value_dim - first;
  const int width = left < kStripColumns ? left : kStripColumns;
  return first * shape.key_dim + key * width + column - first;
}

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
  float* state;       // [heads], each as StateIndex says; read and written
  int state_stride;   // floats from one head to the next
  float* out;         // [tokens, heads, value_dim]; may be v
  int out_stride;
};

// The definition: float64 throughout, no SIMD. Linked into tests only.
void LinearRecurrenceNaive(int tokens, const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args);

// One head, all tokens. Heads do not touch each other's state or output.

// Token by token, one pass over the state each: recall and read come from one
// reading, since o = S_decayed^T q + (k.q) u. No scratch.
void LinearRecurrenceRecurrent(int tokens, const LinearRecurrenceShape& shape,
                               const LinearRecurrenceArgs& args, int head);

// Eight tokens to a pass, their effect on each other worked out beforehand
// from the products of their keys and queries (the UT transform of Yang et al.,
// Parallelizing Linear Transformers with the Delta Rule, 2024, by forward
// substitution): three quarters of the arithmetic of the recurrent form. Only
// the last token of a chunk writes the state, which the others leave as it is,
// their keys and writes behind it; so one token at a time moves little more
// than half of the memory, and no split of a text changes a bit.
//
// position is the text's length before the call; a head's state is followed by
// what is pending, ChunkStateFloats() in all. No decay per channel. No scratch.
void LinearRecurrenceChunk(int position, int tokens,
                           const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args, int head);

// A chunk begins at each position that is a multiple of this. Twice as many
// tokens would read the state half as often, but by then the products among
// them weigh as much.
inline constexpr int kChunkTokens = 8;

// A head's state, then of each token since the chunk's start its key, its u and
// its decay; whole cache lines.
inline int ChunkStateFloats(const LinearRecurrenceShape& shape) {
  const int K = shape.key_dim, V = shape.value_dim;
  return (K * V + kChunkTokens * (K + V + 1) + 15) / 16 * 16;
}

}  // namespace fastweights
