// SPDX-License-Identifier: MIT
#pragma once

// The recurrent cell that most linear-attention systems share. For every head,
// token by token:
//
//   S <- Diag(exp g) S              decay:  none | per head | per key channel
//   e  = S^T p                      recall what is stored under the erase key
//   u  = v - e                      erase:  none | delta | key | low rank
//   S <- S + k u^T                  write
//   o  = S^T q                      read:   after the write | before it
//
// Without erasure, where u = v: linear attention (Katharopoulos et al. 2020)
// has no decay; RetNet (Sun et al. 2023), lightning attention (Qin et al.
// 2024), Mamba-2 (Dao and Gu 2024) and mLSTM (Beck et al. 2024) one per head;
// GLA (Yang et al. 2023), HGRN2 (Qin et al. 2024) and, read before the write,
// RWKV-6 (Peng et al. 2024) one per key channel.
//
// Delta rule: DeltaNet (Yang et al. 2024), and Longhorn (Liu et al. 2024) whose
// beta is beta / (1 + beta k.k), have no decay; Gated DeltaNet (Yang et al.
// 2024) has one per head, Kimi Delta Attention one per key channel.
//
// Erase key: Gated DeltaNet-2, p = b * k, a decay per key channel, and
// recursive least squares, whose k is the gain and p the key, without decay.
//
// Low rank: RWKV-7 (Peng et al. 2025), a decay per key channel, and Comba (Hu
// et al. 2025), one per head with b = beta k and v beta v.

namespace fastweights {

enum class Decay { kNone, kPerHead, kPerChannel };

// What becomes of v and of what the state holds, S being the decayed state and
// S_old the one before its decay.
enum class Erase {
  kNone,     // u = v
  kDelta,    // u = beta (v - S^T k)
  kKey,      // u = v - S^T p: an erase key of its own; beta is in p and v
  kLowRank,  // u = v, and b (S_old^T p)^T is taken from the state: a diagonal
             // plus low rank, which recalls what has not decayed
};

enum class Read {
  kAfterWrite,   // o = S^T q
  kBeforeWrite,  // o = S_old^T q + (q . (bonus * k)) v; without erasure only
};

// Which key head a value head reads when there are fewer key heads.
enum class KeyHeads {
  kTiled,    // value head j reads key head j % key_heads (GGUF files)
  kGrouped,  // value head j reads key head j / (heads / key_heads)
};

struct LinearRecurrenceShape {
  Decay decay;
  Erase erase;
  Read read = Read::kAfterWrite;
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
  const float* beta;  // [tokens, heads], 0 to 2; null but for kDelta
  const float* p = nullptr;  // [tokens, key_heads, key_dim], the erase key;
                             // null but for kKey and kLowRank
  int p_stride = 0;
  const float* b = nullptr;  // [tokens, key_heads, key_dim], along which is
                             // erased; null but for kLowRank
  int b_stride = 0;
  const float* bonus = nullptr;  // [heads, key_dim]; null but for kBeforeWrite
  float* state;      // [heads], each as StateIndex says; read and written
  int state_stride;  // floats from one head to the next
  float* pending = nullptr;  // of a call of whole chunks, where they are not to
                             // use what follows a head's state
  float* trace = nullptr;    // [heads], of the last token (trace.h), which the
                             // chunk form leaves there; null: nobody looks
  float* out;                // [tokens, heads, value_dim]; may be v
  int out_stride;
};

// The definition: float64 throughout, no SIMD. Linked into tests only.
void LinearRecurrenceNaive(int tokens, const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args);

// One head, all tokens. Heads do not touch each other's state or output;
// scratch is the call's, null where its size is none.

// Token by token, one pass over the state each: recall and read come from one
// reading, since o = S_decayed^T q + (k.q) u.
void LinearRecurrenceRecurrent(int tokens, const LinearRecurrenceShape& shape,
                               const LinearRecurrenceArgs& args, int head,
                               float* scratch);

// Of one token the decays and what recalls and reads.
inline int RecurrentScratchFloats(const LinearRecurrenceShape& shape) {
  return 3 * shape.key_dim;
}

// Eight tokens to a pass, their effect on each other worked out beforehand
// from the products of their keys and queries (the UT transform of Yang et al.,
// Parallelizing Linear Transformers with the Delta Rule, 2024, by forward
// substitution): three quarters of the arithmetic of the recurrent form. Only
// the last token of a chunk writes the state, which the others leave as it is,
// their keys and writes behind it; so one token at a time moves little more
// than half of the memory, and no split of a text changes a bit.
//
// position is the text's length before the call; a head's state is followed by
// what is pending, ChunkStateFloats() in all.
void LinearRecurrenceChunk(int position, int tokens,
                           const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args, int head,
                           float* scratch);

// The state as the text's tokens have left it, with what is pending in it:
// [key_dim, value_dim] of one head. Takes state and state_stride out of args;
// position is the text's length.
void LinearRecurrenceState(int position, const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args, int head,
                           float* out);

// The Frobenius norm of such a state; count is a multiple of 4.
float StateNorm(int count, const float* state);

// A chunk begins at each position that is a multiple of this. Twice as many
// tokens would read the state half as often, but by then the products among
// them weigh as much.
inline constexpr int kChunkTokens = 8;

// Per channel a token's decays and what recalls and reads, of each token; none
// otherwise.
inline int ChunkScratchFloats(const LinearRecurrenceShape& shape) {
  return shape.decay == Decay::kPerChannel
             ? (1 + 2 * kChunkTokens) * shape.key_dim
             : 0;
}

// A token makes one rank-one write, k u^T, or two, of which the other is
// -b e^T.
constexpr int WritesPerToken(Erase erase) {
  return erase == Erase::kLowRank ? 2 : 1;
}

// A head's state, then of each token since the chunk's start its key and its u
// (of low rank also its b and what it erased), and their decays: one a token,
// or per channel that of all of them together; whole cache lines.
inline int ChunkStateFloats(const LinearRecurrenceShape& shape) {
  const int K = shape.key_dim, V = shape.value_dim;
  const int writes = WritesPerToken(shape.erase);
  const int decays = shape.decay == Decay::kPerChannel ? K : kChunkTokens;
  return (K * V + kChunkTokens * writes * (K + V) + decays + 15) / 16 * 16;
}

// For states without anything pending, which anyone may look at: where it is
// faster whole chunks in the chunk form, what is left token by token. A state
// is as key_dim * value_dim floats. This is where that is decided.
void LinearRecurrence(int tokens, const LinearRecurrenceShape& shape,
                      const LinearRecurrenceArgs& args, int head,
                      float* scratch);

inline int LinearRecurrenceScratchFloats(const LinearRecurrenceShape& shape) {
  const int pending = ChunkStateFloats(shape) - shape.key_dim * shape.value_dim;
  return ChunkScratchFloats(shape) + pending;
}

// o = S^T q of so many queries of one head; the state stays as it is. Takes q,
// state and out of args.
void LinearRecurrenceRead(int queries, const LinearRecurrenceShape& shape,
                          const LinearRecurrenceArgs& args, int head);

}  // namespace fastweights
