// SPDX-License-Identifier: MIT
#pragma once

// What the forms of the recurrence do with vectors of key_dim numbers.

#include <cmath>

#include "kernels/dot.h"
#include "kernels/exp.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/simd.h"

namespace fastweights {

inline int KeyHeadOf(const LinearRecurrenceShape& shape, int head) {
  return shape.order == KeyHeads::kTiled
             ? head % shape.key_heads
             : head / (shape.heads / shape.key_heads);
}

// One head's view of the keys and queries of a token, [key_dim] each.
struct TokenKeys {
  TokenKeys(const LinearRecurrenceShape& shape, const LinearRecurrenceArgs& a,
            int token, int head) {
    const int key = KeyHeadOf(shape, head) * shape.key_dim;
    q = a.q + token * a.q_stride + key;
    k = a.k + token * a.k_stride + key;
    const bool has_p =
        shape.erase == Erase::kKey || shape.erase == Erase::kLowRank;
    p = has_p ? a.p + token * a.p_stride + key : k;
    b = shape.erase == Erase::kLowRank ? a.b + token * a.b_stride + key
                                       : nullptr;
    const int gate = token * shape.heads + head;
    beta = shape.erase == Erase::kDelta ? a.beta[gate] : 1.0f;
    g = shape.decay == Decay::kNone      ? nullptr
        : shape.decay == Decay::kPerHead ? a.g + gate
                                         : a.g + gate * shape.key_dim;
  }

  const float* q;
  const float* k;
  const float* p;  // k where there is no erase key
  const float* b;  // null unless kLowRank
  const float* g;  // one, or [key_dim]; null without decay
  float beta;      // 1 but for kDelta, so that kKey is the delta rule with p
};

// a . (b * c)
inline float Dot(int dim, const float* a, const float* b, const float* c) {
  F32x4 sum = Splat(0.0f);
  for (int i = 0; i < dim; i += 4) {
    sum = MulAdd(Mul(Load(a + i), Load(b + i)), Load(c + i), sum);
  }
  return Sum(sum);
}

// How much of what a token writes it reads itself.
inline float OwnRead(const LinearRecurrenceShape& shape,
                     const LinearRecurrenceArgs& a, const TokenKeys& token,
                     int head) {
  const int K = shape.key_dim;
  return shape.read == Read::kBeforeWrite
             ? Dot(K, token.q, a.bonus + head * K, token.k)
             : Dot(K, token.q, token.k);
}

// e^-30: what a smaller decay leaves of a state is far below the precision of
// what is added to it, so it leaves nothing. Products of such decays would be
// subnormal numbers, which cost a processor up to 150 cycles each.
inline constexpr float kLeastDecay = 1e-13f;

// e^g, or nothing.
inline float DecayOf(float g) {
  const float decay = std::exp(g);
  return decay < kLeastDecay ? 0.0f : decay;
}

// The same for `count` log decays, a multiple of 4, less kLeastDecay.
inline void DecaysOf(int count, const float* g, float* decays) {
  const Exp exp;
  const F32x4 least = Splat(kLeastDecay), zero = Splat(0.0f);
  for (int i = 0; i < count; i += 4) {
    Store(decays + i, Max(Sub(exp(Load(g + i)), least), zero));
  }
}

// decay * x, which becomes nothing below 2^-84, before it is subnormal: by what
// is added and taken away again.
class Fading {
 public:
  F32x4 operator()(F32x4 decay, F32x4 x) const {
    return Sub(MulAdd(decay, x, rounding_), rounding_);
  }

 private:
  F32x4 rounding_ = Splat(0x1.8p-60f);
};

}  // namespace fastweights
