// SPDX-License-Identifier: MIT
#include "kernels/linear_recurrence/chunk_products.h"

#include <algorithm>
#include <cmath>

#include "kernels/linear_recurrence/keys.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

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

// k = decay * k; k . p and k . q, with k as it was where they read before the
// decay.
template <bool kRecallBefore, bool kReadBefore>
void DecayAndDots(int dim, const float* decay, const float* p, const float* q,
                  float* k, float* kp, float* kq) {
  F32x4 sum_p = Splat(0.0f), sum_q = Splat(0.0f);
  const Fading faded;
  for (int i = 0; i < dim; i += 4) {
    const F32x4 before = Load(k + i), after = faded(Load(decay + i), before);
    Store(k + i, after);
    sum_p = MulAdd(kRecallBefore ? before : after, Load(p + i), sum_p);
    sum_q = MulAdd(kReadBefore ? before : after, Load(q + i), sum_q);
  }
  *kp = Sum(sum_p);
  *kq = Sum(sum_q);
}

// Decays that are numbers, or none.
void PrepareScalar(int start, const LinearRecurrenceShape& shape,
                   const LinearRecurrenceArgs& a, int head,
                   const PendingTokens& pending, ChunkProducts& c) {
  const int K = shape.key_dim, writes = WritesPerToken(shape.erase);
  const bool recall_before = shape.erase == Erase::kLowRank;
  const bool read_before = shape.read == Read::kBeforeWrite;
  float decays[kChunkTokens];
  float all = 1.0f;
  for (int t = 0; t < c.tokens; ++t) {
    const float before = all;
    if (t < c.done) {
      for (int w = 0; w < writes; ++w) {
        c.k[w][t] = pending.Keys(shape, w) + t * K;
      }
      decays[t] = pending.decays[t];
    } else {
      const TokenKeys token(shape, a, start + t - c.done, head);
      c.k[0][t] = token.k;
      c.k[1][t] = token.b;
      c.p[t] = token.p;
      c.q[t] = token.q;
      c.beta[t] = token.beta;
      decays[t] = token.g == nullptr ? 1.0f : DecayOf(*token.g);
      for (int w = 0; w < writes && !c.is_last; ++w) {
        std::copy_n(c.k[w][t], K, pending.Keys(shape, w) + t * K);
        pending.decays[t] = decays[t];
      }
    }
    all *= decays[t];
    if (all < kLeastDecay) all = 0.0f;
    c.recall_decay[t] = recall_before ? before : all;
    c.read_decay[t] = read_before ? before : all;
  }
  c.state_decay = all;
  for (int s = 0; s < c.tokens; ++s) {
    float between = 1.0f;
    for (int t = s; t < c.tokens; ++t) {
      const float before = between;
      if (t > s) between *= decays[t];
      if (between < kLeastDecay) between = 0.0f;
      if (t < c.done) continue;
      for (int w = 0; w < writes; ++w) {
        float kp, kq;
        Dots(K, c.k[w][s], c.p[t], c.q[t], &kp, &kq);
        c.erase[w][t][s] = c.beta[t] * (recall_before ? before : between) * kp;
        c.read[w][t][s] = (read_before ? before : between) * kq;
      }
    }
    c.left[s] = between;
  }
  for (int t = c.done; t < c.tokens && read_before; ++t) {
    const TokenKeys token(shape, a, start + t - c.done, head);
    c.read[0][t][t] = OwnRead(shape, a, token, head);
  }
}

// A key is not divided by the decay up to it, which may be nothing, but decays
// on with every token: a product of numbers between zero and one. The pending
// keys serve for that, so that no rounding depends on where a call ends.
void PreparePerChannel(int start, const LinearRecurrenceShape& shape,
                       const LinearRecurrenceArgs& a, int head,
                       const PendingTokens& pending, float* scratch,
                       ChunkProducts& c) {
  const int K = shape.key_dim, writes = WritesPerToken(shape.erase);
  const bool recall_before = shape.erase == Erase::kLowRank;
  const bool read_before = shape.read == Read::kBeforeWrite;
  const auto decay_and_dots = recall_before ? DecayAndDots<true, false>
                              : read_before ? DecayAndDots<false, true>
                                            : DecayAndDots<false, false>;
  const Fading faded;
  float* decay = scratch;
  c.state_decays = pending.decays;
  if (c.done == 0) std::fill_n(pending.decays, K, 1.0f);
  for (int w = 0; w < writes; ++w) {
    for (int t = 0; t < c.tokens; ++t) {
      c.k[w][t] = pending.Keys(shape, w) + t * K;
    }
  }
  for (int t = c.done; t < c.tokens; ++t) {
    const TokenKeys token(shape, a, start + t - c.done, head);
    c.beta[t] = token.beta;
    DecaysOf(K, token.g, decay);
    float* p = scratch + (1 + 2 * t) * K;
    float* q = p + K;
    for (int i = 0; i < K; i += 4) {
      const F32x4 before = Load(pending.decays + i);
      const F32x4 after = faded(before, Load(decay + i));
      Store(pending.decays + i, after);
      Store(p + i, Mul(recall_before ? before : after, Load(token.p + i)));
      Store(q + i, Mul(read_before ? before : after, Load(token.q + i)));
    }
    c.p[t] = p;
    c.q[t] = q;
    for (int w = 0; w < writes; ++w) {
      float* keys = pending.Keys(shape, w);
      for (int s = 0; s < t; ++s) {
        float kp, kq;
        decay_and_dots(K, decay, token.p, token.q, keys + s * K, &kp, &kq);
        c.erase[w][t][s] = token.beta * kp;
        c.read[w][t][s] = kq;
      }
      std::copy_n(w == 0 ? token.k : token.b, K, keys + t * K);
    }
    c.read[0][t][t] = OwnRead(shape, a, token, head);
    if (writes == 2) c.read[1][t][t] = Dot(K, token.b, token.q);
  }
}

}  // namespace

PendingTokens::PendingTokens(const LinearRecurrenceShape& shape, float* at)
    : keys(at) {
  const int tokens = kChunkTokens * WritesPerToken(shape.erase);
  writes = keys + tokens * shape.key_dim;
  decays = writes + tokens * shape.value_dim;
}

void PendingTokens::Clear(const LinearRecurrenceShape& shape,
                          int tokens) const {
  const int K = shape.key_dim;
  const bool per_channel = shape.decay == Decay::kPerChannel;
  std::fill_n(decays, per_channel ? K : tokens, 0.0f);
  for (int w = 0; w < WritesPerToken(shape.erase); ++w) {
    std::fill_n(Keys(shape, w), (per_channel ? kChunkTokens : tokens) * K,
                0.0f);
    if (tokens == 0) continue;
    std::fill_n(Writes(shape, w, 0), kChunkTokens * shape.value_dim, 0.0f);
  }
}

ChunkProducts PrepareChunk(int done, int start, int count,
                           const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& args, int head,
                           const PendingTokens& pending, float* scratch) {
  ChunkProducts c;
  c.done = done;
  c.tokens = done + count;
  c.is_last = c.tokens == kChunkTokens;
  if (shape.decay == Decay::kPerChannel) {
    PreparePerChannel(start, shape, args, head, pending, scratch, c);
  } else {
    PrepareScalar(start, shape, args, head, pending, c);
  }
  return c;
}

}  // namespace fastweights
