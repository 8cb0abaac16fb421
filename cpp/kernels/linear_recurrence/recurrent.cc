// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/linear_recurrence/keys.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// What all strips of a head share at one token.
struct Token {
  const float* recall;  // [key_dim]: e = S^T recall, S before its decay
  const float* read;    // [key_dim]: and what q reads of that
  const float* decays;  // [key_dim]
  const float* k;       // [key_dim]
  const float* b;       // [key_dim]
  float beta;
  float own_read;    // k . q
  float own_erased;  // b . q
};

// One token on a strip of 4 * kLanes value columns of one head's state without
// erasure: what is written does not depend on what is stored, so that one
// reading does for both.
template <bool kDecays, int kLanes>
void StepWithoutErasure(int key_dim, const Token& token, const float* v,
                        float* state, float* out) {
  F32x4 u[kLanes], read[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    u[l] = Load(v + 4 * l);
    read[l] = Splat(0.0f);
  }
  for (int i = 0; i < key_dim; ++i, state += 4 * kLanes) {
    const F32x4 k = Splat(token.k[i]), q = Splat(token.read[i]);
    for (int l = 0; l < kLanes; ++l) {
      F32x4 s = Load(state + 4 * l);
      read[l] = MulAdd(q, s, read[l]);
      if constexpr (kDecays) s = Mul(Splat(token.decays[i]), s);
      Store(state + 4 * l, MulAdd(k, u[l], s));
    }
  }
  for (int l = 0; l < kLanes; ++l) {
    Store(out + 4 * l, MulAdd(Splat(token.own_read), u[l], read[l]));
  }
}

// One token on a strip of 4 * kLanes value columns of one head's state; v and
// out are the strip's columns.
template <bool kDecays, Erase kErase, int kLanes>
void Step(int key_dim, const Token& token, const float* v, float* state,
          float* out) {
  if constexpr (kErase == Erase::kNone) {
    return StepWithoutErasure<kDecays, kLanes>(key_dim, token, v, state, out);
  }
  F32x4 recalled[kLanes], read[kLanes];
  for (int l = 0; l < kLanes; ++l) recalled[l] = read[l] = Splat(0.0f);
  float* row = state;
  for (int i = 0; i < key_dim; ++i, row += 4 * kLanes) {
    const F32x4 p = Splat(token.recall[i]), q = Splat(token.read[i]);
    for (int l = 0; l < kLanes; ++l) {
      const F32x4 s = Load(row + 4 * l);
      recalled[l] = MulAdd(p, s, recalled[l]);
      read[l] = MulAdd(q, s, read[l]);
    }
  }

  F32x4 u[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    u[l] = Load(v + 4 * l);
    if constexpr (kErase == Erase::kDelta) {
      u[l] = Mul(Splat(token.beta), Sub(u[l], recalled[l]));
    }
    read[l] = MulAdd(Splat(token.own_read), u[l], read[l]);
    if constexpr (kErase == Erase::kLowRank) {
      recalled[l] = Sub(Splat(0.0f), recalled[l]);
      read[l] = MulAdd(Splat(token.own_erased), recalled[l], read[l]);
    }
    Store(out + 4 * l, read[l]);
  }

  row = state;
  for (int i = 0; i < key_dim; ++i, row += 4 * kLanes) {
    const F32x4 k = Splat(token.k[i]);
    for (int l = 0; l < kLanes; ++l) {
      F32x4 s = Load(row + 4 * l);
      if constexpr (kDecays) s = Mul(Splat(token.decays[i]), s);
      if constexpr (kErase == Erase::kLowRank) {
        s = MulAdd(Splat(token.b[i]), recalled[l], s);
      }
      Store(row + 4 * l, MulAdd(k, u[l], s));
    }
  }
}

// to = decays * x, and to; x itself without decays.
const float* Decayed(int dim, const float* decays, const float* x, float* to) {
  if (decays == nullptr) return x;
  for (int i = 0; i < dim; i += 4) {
    Store(to + i, Mul(Load(decays + i), Load(x + i)));
  }
  return to;
}

Token Prepare(const LinearRecurrenceShape& shape, const LinearRecurrenceArgs& a,
              int t, int head, float* scratch) {
  const int K = shape.key_dim;
  const TokenKeys keys(shape, a, t, head);
  const float* decays = nullptr;
  if (shape.decay == Decay::kPerHead) {
    float decay[4];
    const float g[4] = {*keys.g, *keys.g, *keys.g, *keys.g};
    DecaysOf(4, g, decay);
    std::fill_n(scratch, K, decay[0]);
    decays = scratch;
  } else if (shape.decay == Decay::kPerChannel) {
    DecaysOf(K, keys.g, scratch);
    decays = scratch;
  }
  // Both are multiplied with the state as it was before the token: what reads
  // the decayed state has the decay on its own side.
  const bool recalls_decayed = shape.erase != Erase::kLowRank;
  const bool reads_decayed = shape.read == Read::kAfterWrite;
  return {
      .recall =
          Decayed(K, recalls_decayed ? decays : nullptr, keys.p, scratch + K),
      .read =
          Decayed(K, reads_decayed ? decays : nullptr, keys.q, scratch + 2 * K),
      .decays = decays,
      .k = keys.k,
      .b = keys.b,
      .beta = keys.beta,
      .own_read = OwnRead(shape, a, keys, head),
      .own_erased = keys.b == nullptr ? 0.0f : Dot(K, keys.b, keys.q),
  };
}

template <bool kDecays, Erase kErase>
void Head(int tokens, const LinearRecurrenceShape& shape,
          const LinearRecurrenceArgs& a, int head, float* scratch) {
  const int K = shape.key_dim, V = shape.value_dim;
  float* state = a.state + head * a.state_stride;
  for (int t = 0; t < tokens; ++t) {
    const Token token = Prepare(shape, a, t, head, scratch);
    const float* v = a.v + t * a.v_stride + head * V;
    float* out = a.out + t * a.out_stride + head * V;
    ForEachStrip(V, [&](auto lanes, int column) {
      constexpr int kLanes = decltype(lanes)::value;
      Step<kDecays, kErase, kLanes>(K, token, v + column, state + column * K,
                                    out + column);
    });
  }
}

template <bool kDecays>
void Run(int tokens, const LinearRecurrenceShape& shape,
         const LinearRecurrenceArgs& a, int head, float* scratch) {
  switch (shape.erase) {
    case Erase::kNone:
      return Head<kDecays, Erase::kNone>(tokens, shape, a, head, scratch);
    case Erase::kDelta:
    case Erase::kKey:  // the delta rule with p for its key and beta one
      return Head<kDecays, Erase::kDelta>(tokens, shape, a, head, scratch);
    case Erase::kLowRank:
      return Head<kDecays, Erase::kLowRank>(tokens, shape, a, head, scratch);
  }
}

}  // namespace

void LinearRecurrenceRecurrent(int tokens, const LinearRecurrenceShape& shape,
                               const LinearRecurrenceArgs& args, int head,
                               float* scratch) {
  DCHECK(shape.key_dim % 4 == 0 && shape.value_dim % 4 == 0);
  DCHECK(shape.heads % shape.key_heads == 0 && head < shape.heads);
  DCHECK(shape.read == Read::kAfterWrite || shape.erase == Erase::kNone);
  DCHECK(scratch != nullptr);
  if (shape.decay == Decay::kNone) {
    return Run<false>(tokens, shape, args, head, scratch);
  }
  Run<true>(tokens, shape, args, head, scratch);
}

}  // namespace fastweights
