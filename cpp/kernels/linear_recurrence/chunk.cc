// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/dot.h"
#include "kernels/linear_recurrence/chunk_products.h"
#include "kernels/linear_recurrence/keys.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/linear_recurrence/trace.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

constexpr int kChunk = kChunkTokens;

// S^T p and S^T q on a strip.
template <Erase kErase, int kLanes>
void Recall(int key_dim, const float* p, const float* q, const float* state,
            F32x4* recalled, F32x4* read) {
  F32x4 sp[kLanes], sq[kLanes];
  for (int l = 0; l < kLanes; ++l) sp[l] = sq[l] = Splat(0.0f);
  for (int i = 0; i < key_dim; ++i, state += 4 * kLanes) {
    const F32x4 pi = Splat(p[i]), qi = Splat(q[i]);
    for (int l = 0; l < kLanes; ++l) {
      const F32x4 s = Load(state + 4 * l);
      if constexpr (kErase != Erase::kNone) sp[l] = MulAdd(pi, s, sp[l]);
      sq[l] = MulAdd(qi, s, sq[l]);
    }
  }
  for (int l = 0; l < kLanes; ++l) {
    recalled[l] = sp[l];
    read[l] = sq[l];
  }
}

// S^T q of two tokens on a strip, in one reading of it: without erasure there
// are registers for both.
template <int kLanes>
void ReadTwo(int key_dim, const float* const* q, const float* state,
             F32x4 (*read)[kLanes]) {
  F32x4 a[kLanes], b[kLanes];
  for (int l = 0; l < kLanes; ++l) a[l] = b[l] = Splat(0.0f);
  for (int i = 0; i < key_dim; ++i, state += 4 * kLanes) {
    const F32x4 qa = Splat(q[0][i]), qb = Splat(q[1][i]);
    for (int l = 0; l < kLanes; ++l) {
      const F32x4 s = Load(state + 4 * l);
      a[l] = MulAdd(qa, s, a[l]);
      b[l] = MulAdd(qb, s, b[l]);
    }
  }
  for (int l = 0; l < kLanes; ++l) {
    read[0][l] = a[l];
    read[1][l] = b[l];
  }
}

// state = decay * state + sum_t k_t u_t^T on kRows keys of a strip, the decay
// one for all of them or one each.
template <bool kPerChannel, int kWrites, int kRows, int kLanes>
void Write(const ChunkProducts& c, int key, F32x4 decay,
           const F32x4 (*u)[kChunk][kLanes], float* state) {
  F32x4 sum[kRows][kLanes];
  for (int r = 0; r < kRows; ++r) {
    if constexpr (kPerChannel) decay = Splat(c.state_decays[key + r]);
    for (int l = 0; l < kLanes; ++l) {
      sum[r][l] = Mul(decay, Load(state + 4 * (r * kLanes + l)));
    }
  }
  for (int w = 0; w < kWrites; ++w) {
    for (int t = 0; t < kChunk; ++t) {
      for (int r = 0; r < kRows; ++r) {
        const F32x4 k = Splat(c.k[w][t][key + r]);
        for (int l = 0; l < kLanes; ++l) {
          sum[r][l] = MulAdd(k, u[w][t][l], sum[r][l]);
        }
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int l = 0; l < kLanes; ++l) {
      Store(state + 4 * (r * kLanes + l), sum[r][l]);
    }
  }
}

// A chunk on a strip of 4 * kLanes value columns; v and out are the strip's
// columns at the first new token, writes [kChunk, 4 * kLanes] the strip's, one
// for each write of a token; those of the last token also go to traced, unless
// it is null.
template <Erase kErase, bool kPerChannel, int kLanes>
void Strip(const ChunkProducts& c, int key_dim, const float* v, int v_stride,
           float* state, float* const* writes, float* const* traced, float* out,
           int out_stride) {
  constexpr int kWrites = WritesPerToken(kErase);
  F32x4 u[kWrites][kChunk][kLanes];
  for (int w = 0; w < kWrites; ++w) {
    for (int t = 0; t < c.done; ++t) {
      for (int l = 0; l < kLanes; ++l) {
        u[w][t][l] = Load(writes[w] + 4 * (t * kLanes + l));
      }
    }
  }
  F32x4 reads[2][kLanes];
  for (int t = c.done; t < c.tokens; ++t, v += v_stride, out += out_stride) {
    F32x4 recalled[kLanes], read[kLanes];
    if constexpr (kErase == Erase::kNone) {
      // Two by two from the first of this call; the last one may be alone.
      const int second = (t - c.done) % 2;
      if (second == 0 && t + 1 < c.tokens) {
        ReadTwo<kLanes>(key_dim, c.q + t, state, reads);
      } else if (second == 0) {
        Recall<kErase, kLanes>(key_dim, c.p[t], c.q[t], state, recalled,
                               reads[0]);
      }
      for (int l = 0; l < kLanes; ++l) {
        recalled[l] = Splat(0.0f);
        read[l] = reads[second][l];
      }
    } else {
      Recall<kErase, kLanes>(key_dim, c.p[t], c.q[t], state, recalled, read);
    }
    const F32x4 beta = Splat(c.beta[t]);
    for (int l = 0; l < kLanes; ++l) {
      if constexpr (!kPerChannel) {
        recalled[l] = Mul(Splat(c.recall_decay[t]), recalled[l]);
        read[l] = Mul(Splat(c.read_decay[t]), read[l]);
      }
      u[0][t][l] = Load(v + 4 * l);
      if constexpr (kErase == Erase::kDelta) {
        u[0][t][l] = Mul(beta, Sub(u[0][t][l], recalled[l]));
      }
      if constexpr (kErase == Erase::kLowRank) {
        u[1][t][l] = Sub(Splat(0.0f), recalled[l]);
      }
    }
    for (int w = 0; w < kWrites; ++w) {
      for (int s = 0; s < t; ++s) {
        const F32x4 erase = Splat(-c.erase[w][t][s]);
        const F32x4 weight = Splat(c.read[w][t][s]);
        for (int l = 0; l < kLanes; ++l) {
          if constexpr (kErase != Erase::kNone) {
            F32x4& to = u[kWrites - 1][t][l];
            to = MulAdd(erase, u[w][s][l], to);
          }
          read[l] = MulAdd(weight, u[w][s][l], read[l]);
        }
      }
    }
    for (int l = 0; l < kLanes; ++l) {
      for (int w = 0; w < kWrites; ++w) {
        read[l] = MulAdd(Splat(c.read[w][t][t]), u[w][t][l], read[l]);
      }
      Store(out + 4 * l, read[l]);
    }
  }
  for (int w = 0; w < kWrites && traced; ++w) {
    for (int l = 0; l < kLanes; ++l) {
      Store(traced[w] + 4 * l, u[w][c.tokens - 1][l]);
    }
  }
  if (!c.is_last) {
    for (int w = 0; w < kWrites; ++w) {
      for (int t = c.done; t < c.tokens; ++t) {
        for (int l = 0; l < kLanes; ++l) {
          Store(writes[w] + 4 * (t * kLanes + l), u[w][t][l]);
        }
      }
    }
    return;
  }
  for (int w = 0; w < kWrites && !kPerChannel; ++w) {
    for (int t = 0; t < kChunk; ++t) {
      for (int l = 0; l < kLanes; ++l) {
        u[w][t][l] = Mul(Splat(c.left[t]), u[w][t][l]);
      }
    }
  }
  const F32x4 decay = Splat(kPerChannel ? 0.0f : c.state_decay);
  for (int i = 0; i < key_dim; i += 2, state += 8 * kLanes) {
    Write<kPerChannel, kWrites, 2, kLanes>(c, i, decay, u, state);
  }
}

RecurrenceTrace TraceOf(const LinearRecurrenceShape& shape,
                        const LinearRecurrenceArgs& a, int head) {
  return {shape, a.trace + head * RecurrenceTraceFloats(shape)};
}

// A token's trace, but for its writes.
void Trace(int token, const LinearRecurrenceShape& shape,
           const LinearRecurrenceArgs& a, int head) {
  const int K = shape.key_dim;
  const TokenKeys keys(shape, a, token, head);
  const float* v = a.v + token * a.v_stride + head * shape.value_dim;
  const RecurrenceTrace trace = TraceOf(shape, a, head);
  *trace.beta = keys.beta;
  *trace.query_norm = std::sqrt(Dot(K, keys.q, keys.q));
  *trace.value_norm = std::sqrt(Dot(shape.value_dim, v, v));
  std::copy_n(keys.k, K, trace.keys[0]);
  if (keys.b != nullptr) std::copy_n(keys.b, K, trace.keys[1]);
  if (shape.decay == Decay::kPerChannel) {
    DecaysOf(K, keys.g, trace.decay);
  } else {
    *trace.decay = keys.g == nullptr ? 1.0f : DecayOf(*keys.g);
  }
}

template <Erase kErase, bool kPerChannel>
void Head(int position, int tokens, const LinearRecurrenceShape& shape,
          const LinearRecurrenceArgs& a, int head, float* scratch) {
  const int K = shape.key_dim, V = shape.value_dim;
  float* head_state = a.state + head * a.state_stride;
  const PendingTokens pending(shape,
                              a.pending ? a.pending : head_state + K * V);
  int done = position % kChunk;
  for (int start = 0; start < tokens;) {
    const int count = std::min(kChunk - done, tokens - start);
    const ChunkProducts c =
        PrepareChunk(done, start, count, shape, a, head, pending, scratch);
    const float* v = a.v + start * a.v_stride + head * V;
    float* out = a.out + start * a.out_stride + head * V;
    // Before the output may take the place of the values.
    const bool is_traced = a.trace != nullptr && start + count == tokens;
    if (is_traced) Trace(tokens - 1, shape, a, head);
    ForEachStrip(V, [&](auto lanes, int column) {
      constexpr int kLanes = decltype(lanes)::value;
      float* writes[WritesPerToken(kErase)];
      float* traced[WritesPerToken(kErase)];
      for (int w = 0; w < WritesPerToken(kErase); ++w) {
        writes[w] = pending.Writes(shape, w, column);
        if (is_traced) traced[w] = TraceOf(shape, a, head).writes[w] + column;
      }
      Strip<kErase, kPerChannel, kLanes>(
          c, K, v + column, a.v_stride, head_state + column * K, writes,
          is_traced ? traced : nullptr, out + column, a.out_stride);
    });
    // So that a state depends on its text alone, not on how it was read.
    if (c.is_last) pending.Clear(shape, done);
    start += count;
    done = 0;
  }
}

template <bool kPerChannel>
void Run(int position, int tokens, const LinearRecurrenceShape& shape,
         const LinearRecurrenceArgs& a, int head, float* scratch) {
  const auto run = [&](auto form) {
    form(position, tokens, shape, a, head, scratch);
  };
  switch (shape.erase) {
    case Erase::kNone:
      return run(Head<Erase::kNone, kPerChannel>);
    case Erase::kDelta:
    case Erase::kKey:  // the delta rule with p for its key and beta one
      return run(Head<Erase::kDelta, kPerChannel>);
    case Erase::kLowRank:
      return run(Head<Erase::kLowRank, kPerChannel>);
  }
}

}  // namespace

void LinearRecurrenceChunk(int position, int tokens,
                           const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args, int head,
                           float* scratch) {
  DCHECK(shape.key_dim % 4 == 0 && shape.value_dim % 4 == 0);
  DCHECK(shape.heads % shape.key_heads == 0 && head < shape.heads);
  DCHECK(shape.read == Read::kAfterWrite || shape.erase == Erase::kNone);
  DCHECK(ChunkScratchFloats(shape) == 0 || scratch != nullptr);
  DCHECK(args.pending
             ? position % kChunkTokens == 0 && tokens % kChunkTokens == 0
             : args.state_stride >= ChunkStateFloats(shape));
  if (shape.decay == Decay::kPerChannel) {
    return Run<true>(position, tokens, shape, args, head, scratch);
  }
  Run<false>(position, tokens, shape, args, head, scratch);
}

}  // namespace fastweights
