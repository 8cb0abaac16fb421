// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/linear_recurrence/linear_recurrence.h"

namespace fastweights {

// What lies behind a head's state, `at` which it begins.
struct PendingTokens {
  PendingTokens(const LinearRecurrenceShape& shape, float* at);

  // Forgets a whole chunk, of which `tokens` came from earlier calls.
  void Clear(const LinearRecurrenceShape& shape, int tokens) const;

  // The keys of write `write`, per channel decayed up to the last token.
  float* Keys(const LinearRecurrenceShape& shape, int write) const {
    return keys + write * kChunkTokens * shape.key_dim;
  }
  // [kChunkTokens, columns of the strip at `column`]
  float* Writes(const LinearRecurrenceShape& shape, int write,
                int column) const {
    return writes + kChunkTokens * (write * shape.value_dim + column);
  }

  float* keys;    // [writes, kChunkTokens, key_dim]
  float* writes;  // [writes, kChunkTokens, value_dim], strip by strip
  float* decays;  // [kChunkTokens]; per channel [key_dim], all tokens' product
};

// What all strips of a head share. With A_t the decay of token t (a number, or
// a diagonal) and D(s, t) = A_{s + 1} ... A_t, unrolling the cell over a chunk
// gives for one write per token
//
//   u_t = beta_t (v_t - S^T D(-1, t) p_t - sum_{s < t} (p_t . D(s, t) k_s) u_s)
//   o_t = S^T D(-1, t) q_t + sum_{s <= t} (q_t . D(s, t) k_s) u_s
//   S  <- D(-1, last) S + sum_s D(s, last) k_s u_s^T
//
// and for two the same with u_t = v_t and the sums over both, the second's
// vector being -e_t = -S^T D(-1, t - 1) p_t - sum ... in the place of u_t. What
// reads before the token's decay, p_t of low rank and q_t before the write, has
// D(., t - 1) for D(., t).
struct ChunkProducts {
  int done;      // tokens that earlier calls have left pending
  int tokens;    // these and the new ones
  bool is_last;  // whether the chunk ends here
  const float* k[2][kChunkTokens];  // of each write; per channel D(t, last) k_t
  const float* p[kChunkTokens];     // of new tokens; per channel D(-1, t) p_t
  const float* q[kChunkTokens];     // of new tokens; per channel D(-1, t) q_t
  float beta[kChunkTokens];
  // Decays that are numbers; undefined per channel.
  float recall_decay[kChunkTokens];  // D(-1, t), of what recalls
  float read_decay[kChunkTokens];    // D(-1, t), of what reads
  float left[kChunkTokens];          // D(t, last)
  float state_decay;                 // D(-1, last)
  const float* state_decays;         // the same per channel, [key_dim]
  float erase[2][kChunkTokens][kChunkTokens];  // beta_t p_t . D(s, t) k_s
  float read[2][kChunkTokens][kChunkTokens];   // q_t . D(s, t) k_s
};

// The products of the chunk of `done` pending tokens and the `count` that begin
// with the call's token `start`. Pending keys and decays are brought up to
// date; the writes are the caller's. scratch: ChunkScratchFloats().
ChunkProducts PrepareChunk(int done, int start, int count,
                           const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args, int head,
                           const PendingTokens& pending, float* scratch);

}  // namespace fastweights
