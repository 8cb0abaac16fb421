// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/check.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// One head's view of the inputs at one token.
struct Cell {
  const float* q;  // [key_dim]
  const float* k;  // [key_dim]
  const float* v;  // the strip's value columns
  const float* g;  // one log decay, or [key_dim] of them
  float beta;
  float kq;    // k . q
  float* out;  // the strip's columns
};

float Dot(int dim, const float* a, const float* b) {
  F32x4 sum = Splat(0.0f);
  for (int i = 0; i < dim; i += 4) sum = MulAdd(Load(a + i), Load(b + i), sum);
  return Sum(sum);
}

// One token on a strip of 4 * kLanes value columns of one head's state.
template <Decay kDecay, Erase kErase, int kLanes>
void Step(int key_dim, const Cell& cell, float* state) {
  F32x4 recalled[kLanes], read[kLanes];
  for (int l = 0; l < kLanes; ++l) recalled[l] = read[l] = Splat(0.0f);
  // One exponential per head costs nothing; per channel it is taken once per
  // strip, which four strips or so do not notice beside 3 key_dim strip FMAs.
  const float head_decay =
      kDecay == Decay::kPerHead ? std::exp(cell.g[0]) : 1.0f;

  float* row = state;
  for (int i = 0; i < key_dim; ++i, row += 4 * kLanes) {
    const float decay =
        kDecay == Decay::kPerChannel ? std::exp(cell.g[i]) : head_decay;
    const F32x4 k = Splat(decay * cell.k[i]);
    const F32x4 q = Splat(decay * cell.q[i]);
    for (int l = 0; l < kLanes; ++l) {
      const F32x4 s = Load(row + 4 * l);
      if constexpr (kErase == Erase::kDelta) {
        recalled[l] = MulAdd(k, s, recalled[l]);
      }
      read[l] = MulAdd(q, s, read[l]);
    }
  }

  F32x4 u[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    u[l] = Load(cell.v + 4 * l);
    if constexpr (kErase == Erase::kDelta) {
      u[l] = Mul(Splat(cell.beta), Sub(u[l], recalled[l]));
    }
    Store(cell.out + 4 * l, MulAdd(Splat(cell.kq), u[l], read[l]));
  }

  row = state;
  for (int i = 0; i < key_dim; ++i, row += 4 * kLanes) {
    const F32x4 k = Splat(cell.k[i]);
    const float decay =
        kDecay == Decay::kPerChannel ? std::exp(cell.g[i]) : head_decay;
    for (int l = 0; l < kLanes; ++l) {
      F32x4 s = Load(row + 4 * l);
      if constexpr (kDecay != Decay::kNone) s = Mul(Splat(decay), s);
      Store(row + 4 * l, MulAdd(k, u[l], s));
    }
  }
}

template <Decay kDecay, Erase kErase>
void Head(int tokens, const LinearRecurrenceShape& shape,
          const LinearRecurrenceArgs& a, int head) {
  const int K = shape.key_dim, V = shape.value_dim;
  const int key_head = KeyHeadOf(shape, head);
  float* state = a.state + head * a.state_stride;
  ForEachStrip(V, [&](auto lanes, int column) {
    constexpr int kLanes = decltype(lanes)::value;
    for (int t = 0; t < tokens; ++t) {
      const int gate = t * shape.heads + head;
      Cell cell = {
          .q = a.q + t * a.q_stride + key_head * K,
          .k = a.k + t * a.k_stride + key_head * K,
          .v = a.v + t * a.v_stride + head * V + column,
          .g = nullptr,
          .beta = 0.0f,
          .kq = 0.0f,
          .out = a.out + t * a.out_stride + head * V + column,
      };
      cell.kq = Dot(K, cell.k, cell.q);
      if constexpr (kDecay == Decay::kPerHead) cell.g = a.g + gate;
      if constexpr (kDecay == Decay::kPerChannel) cell.g = a.g + gate * K;
      if constexpr (kErase == Erase::kDelta) cell.beta = a.beta[gate];
      Step<kDecay, kErase, kLanes>(K, cell, state);
    }
    state += K * 4 * kLanes;
  });
}

template <Decay kDecay>
void Run(int tokens, const LinearRecurrenceShape& shape,
         const LinearRecurrenceArgs& a, int head) {
  switch (shape.erase) {
    case Erase::kNone:
      return Head<kDecay, Erase::kNone>(tokens, shape, a, head);
    case Erase::kKey:
    case Erase::kLowRank:
    case Erase::kDelta:
      return Head<kDecay, Erase::kDelta>(tokens, shape, a, head);
  }
}

}  // namespace

void LinearRecurrenceRecurrent(int tokens, const LinearRecurrenceShape& shape,
                               const LinearRecurrenceArgs& args, int head,
 float* scratch) {
 (void)scratch;
  DCHECK(shape.key_dim % 4 == 0 && shape.value_dim % 4 == 0);
  DCHECK(shape.heads % shape.key_heads == 0 && head < shape.heads);
  switch (shape.decay) {
    case Decay::kNone:
      return Run<Decay::kNone>(tokens, shape, args, head);
    case Decay::kPerHead:
      return Run<Decay::kPerHead>(tokens, shape, args, head);
    case Decay::kPerChannel:
      return Run<Decay::kPerChannel>(tokens, shape, args, head);
  }
}

}  // namespace fastweights
