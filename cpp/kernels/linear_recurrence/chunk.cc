// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

constexpr int kChunk = kChunkTokens;

// What lies behind a head's state.
struct Pending {
  Pending(const LinearRecurrenceShape& shape, float* state)
      : keys(state + shape.key_dim * shape.value_dim),
        writes(keys + kChunk * shape.key_dim),
        decays(writes + kChunk * shape.value_dim) {}

  // Forgets the first `tokens`.
  void Clear(const LinearRecurrenceShape& shape, int tokens) const {
    if (tokens == 0) return;
    std::fill_n(keys, tokens * shape.key_dim, 0.0f);
    std::fill_n(writes, kChunk * shape.value_dim, 0.0f);
    std::fill_n(decays, tokens, 0.0f);
  }

  float* keys;    // [kChunk, key_dim]
  float* writes;  // [kChunk, value_dim], strip by strip
  float* decays;  // [kChunk]
};

// What all strips of a head share: with a_t the decay of token t and
// D(s, t) = a_{s + 1} ... a_t, unrolling the cell over a chunk gives
//
//   u_t = beta_t (v_t - D(-1, t) S^T k_t) - sum_{s < t} erase[t][s] u_s
//   o_t = D(-1, t) S^T q_t + sum_{s <= t} read[t][s] u_s
//   S  <- D(-1, last) S + sum_s D(s, last) k_s u_s^T
struct Chunk {
  int done;      // tokens that earlier calls have left pending
  int tokens;    // these and the new ones
  bool is_last;  // whether the chunk ends here
  const float* k[kChunk];
  const float* q[kChunk];
  float beta[kChunk];
  float decay[kChunk];          // D(-1, t)
  float left[kChunk];           // D(t, last)
  float erase[kChunk][kChunk];  // beta_t D(s, t) k_t . k_s
  float read[kChunk][kChunk];   // D(s, t) q_t . k_s
};

// k . a and k . b
void Dots(int dim, const float* k, const float* a, const float* b, float* ka,
          float* kb) {
  F32x4 sum_a = Splat(0.0f), sum_b = Splat(0.0f);
  for (int i = 0; i < dim; i += 4) {
    const F32x4 x = Load(k + i);
    sum_a = MulAdd(x, Load(a + i), sum_a);
    sum_b = MulAdd(x, Load(b + i), sum_b);
  }
  *ka = Sum(sum_a);
  *kb = Sum(sum_b);
}

// The chunk of `done` pending tokens and the `count` that begin with the
// call's token `start`.
Chunk Prepare(int done, int start, int count,
              const LinearRecurrenceShape& shape, const LinearRecurrenceArgs& a,
              int head, const Pending& pending) {
  const int K = shape.key_dim;
  const int key_head = KeyHeadOf(shape, head);
  Chunk c;
  c.done = done;
  c.tokens = done + count;
  c.is_last = c.tokens == kChunk;
  float decays[kChunk];
  for (int t = 0; t < c.tokens; ++t) {
    if (t < done) {
      c.k[t] = pending.keys + t * K;
      decays[t] = pending.decays[t];
    } else {
      const int token = start + t - done, gate = token * shape.heads + head;
      c.k[t] = a.k + token * a.k_stride + key_head * K;
      c.q[t] = a.q + token * a.q_stride + key_head * K;
      c.beta[t] = shape.erase == Erase::kDelta ? a.beta[gate] : 1.0f;
      decays[t] = shape.decay == Decay::kPerHead ? std::exp(a.g[gate]) : 1.0f;
      if (!c.is_last) {
        std::copy_n(c.k[t], K, pending.keys + t * K);
        pending.decays[t] = decays[t];
      }
    }
    c.decay[t] = t == 0 ? decays[0] : c.decay[t - 1] * decays[t];
  }
  for (int s = 0; s < c.tokens; ++s) {
    float between = 1.0f;
    for (int t = s; t < c.tokens; ++t) {
      if (t > s) between *= decays[t];
      if (t < done) continue;
      float kk, kq;
      Dots(K, c.k[s], c.k[t], c.q[t], &kk, &kq);
      c.erase[t][s] = c.beta[t] * between * kk;
      c.read[t][s] = between * kq;
    }
    c.left[s] = between;
  }
  return c;
}

// S^T k and S^T q on a strip.
template <Erase kErase, int kLanes>
void Recall(int key_dim, const float* k, const float* q, const float* state,
            F32x4* recalled, F32x4* read) {
  F32x4 sk[kLanes], sq[kLanes];
  for (int l = 0; l < kLanes; ++l) sk[l] = sq[l] = Splat(0.0f);
  for (int i = 0; i < key_dim; ++i, state += 4 * kLanes) {
    const F32x4 ki = Splat(k[i]), qi = Splat(q[i]);
    for (int l = 0; l < kLanes; ++l) {
      const F32x4 s = Load(state + 4 * l);
      if constexpr (kErase == Erase::kDelta) sk[l] = MulAdd(ki, s, sk[l]);
      sq[l] = MulAdd(qi, s, sq[l]);
    }
  }
  for (int l = 0; l < kLanes; ++l) {
    recalled[l] = sk[l];
    read[l] = sq[l];
  }
}

// state = decay * state + sum_t k_t u_t^T on kRows keys of a strip.
template <int kRows, int kLanes>
void Write(const Chunk& c, int key, F32x4 decay, const F32x4 (*u)[kLanes],
           float* state) {
  F32x4 sum[kRows][kLanes];
  for (int r = 0; r < kRows; ++r) {
    for (int l = 0; l < kLanes; ++l) {
      sum[r][l] = Mul(decay, Load(state + 4 * (r * kLanes + l)));
    }
  }
  for (int t = 0; t < kChunk; ++t) {
    for (int r = 0; r < kRows; ++r) {
      const F32x4 k = Splat(c.k[t][key + r]);
      for (int l = 0; l < kLanes; ++l) {
        sum[r][l] = MulAdd(k, u[t][l], sum[r][l]);
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
// columns at the first new token, writes [kChunk, 4 * kLanes] the strip's.
template <Erase kErase, int kLanes>
void Strip(const Chunk& c, int key_dim, const float* v, int v_stride,
           float* state, float* writes, float* out, int out_stride) {
  F32x4 u[kChunk][kLanes];
  for (int t = 0; t < c.done; ++t) {
    for (int l = 0; l < kLanes; ++l) {
      u[t][l] = Load(writes + 4 * (t * kLanes + l));
    }
  }
  for (int t = c.done; t < c.tokens; ++t, v += v_stride, out += out_stride) {
    F32x4 recalled[kLanes], read[kLanes];
    Recall<kErase, kLanes>(key_dim, c.k[t], c.q[t], state, recalled, read);
    const F32x4 decay = Splat(c.decay[t]), beta = Splat(c.beta[t]);
    for (int l = 0; l < kLanes; ++l) {
      u[t][l] = Load(v + 4 * l);
      if constexpr (kErase == Erase::kDelta) {
        u[t][l] = Mul(beta, Sub(u[t][l], Mul(decay, recalled[l])));
      }
      read[l] = Mul(decay, read[l]);
    }
    for (int s = 0; s < t; ++s) {
      const F32x4 erase = Splat(-c.erase[t][s]), weight = Splat(c.read[t][s]);
      for (int l = 0; l < kLanes; ++l) {
        if constexpr (kErase == Erase::kDelta) {
          u[t][l] = MulAdd(erase, u[s][l], u[t][l]);
        }
        read[l] = MulAdd(weight, u[s][l], read[l]);
      }
    }
    for (int l = 0; l < kLanes; ++l) {
      Store(out + 4 * l, MulAdd(Splat(c.read[t][t]), u[t][l], read[l]));
    }
  }
  if (!c.is_last) {
    for (int t = c.done; t < c.tokens; ++t) {
      for (int l = 0; l < kLanes; ++l) {
        Store(writes + 4 * (t * kLanes + l), u[t][l]);
      }
    }
    return;
  }
  for (int t = 0; t < kChunk; ++t) {
    for (int l = 0; l < kLanes; ++l) u[t][l] = Mul(Splat(c.left[t]), u[t][l]);
  }
  const F32x4 decay = Splat(c.decay[kChunk - 1]);
  for (int i = 0; i < key_dim; i += 2, state += 8 * kLanes) {
    Write<2, kLanes>(c, i, decay, u, state);
  }
}

template <Erase kErase>
void Head(int position, int tokens, const LinearRecurrenceShape& shape,
          const LinearRecurrenceArgs& a, int head) {
  const int K = shape.key_dim, V = shape.value_dim;
  float* head_state = a.state + head * a.state_stride;
  const Pending pending(shape, head_state);
  int done = position % kChunk;
  for (int start = 0; start < tokens;) {
    const int count = std::min(kChunk - done, tokens - start);
    const Chunk c = Prepare(done, start, count, shape, a, head, pending);
    const float* v = a.v + start * a.v_stride + head * V;
    float* out = a.out + start * a.out_stride + head * V;
    ForEachStrip(V, [&](auto lanes, int column) {
      constexpr int kLanes = decltype(lanes)::value;
      Strip<kErase, kLanes>(
          c, K, v + column, a.v_stride, head_state + column * K,
          pending.writes + column * kChunk, out + column, a.out_stride);
    });
    // So that a state depends on its text alone, not on how it was read.
    if (c.is_last) pending.Clear(shape, done);
    start += count;
    done = 0;
  }
}

}  // namespace

void LinearRecurrenceChunk(int position, int tokens,
                           const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args, int head,
 float* scratch) {
 (void)scratch;
  DCHECK(shape.key_dim % 4 == 0 && shape.value_dim % 4 == 0);
  DCHECK(shape.heads % shape.key_heads == 0 && head < shape.heads);
  DCHECK(shape.decay != Decay::kPerChannel);
  DCHECK(args.state_stride >= ChunkStateFloats(shape));
  switch (shape.erase) {
    case Erase::kNone:
      return Head<Erase::kNone>(position, tokens, shape, args, head);
    case Erase::kKey:
    case Erase::kLowRank:
    case Erase::kDelta:
      return Head<Erase::kDelta>(position, tokens, shape, args, head);
  }
}

}  // namespace fastweights
