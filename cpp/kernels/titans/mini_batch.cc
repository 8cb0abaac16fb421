// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/check.h"
#include "kernels/dot.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/simd.h"
#include "kernels/titans/titans.h"

namespace fastweights {
namespace {

// A head's state. With u_j = theta_j (v_j - M^T k_j), M and S those that the
// mini-batch began with, unrolling it up to token t gives
//
//   S_t = s S + sum_{j <= t} momentum[j] k_j u_j^T
//   M_t = m M + f S + sum_{j <= t} memory[j] k_j u_j^T
//
// and the five kinds of weights follow the recurrence as numbers do.
struct State {
  State(const TitansShape& shape, float* state)
      : M(state),
        S(M + shape.key_dim * shape.value_dim),
        keys(S + shape.key_dim * shape.value_dim),
        updates(keys + shape.mini_batch * shape.key_dim),
        momentum(updates + shape.mini_batch * shape.value_dim),
        memory(momentum + shape.mini_batch),
        s(memory + shape.mini_batch),
        m(s + 1),
        f(s + 2) {}

  // Token `slot` of the mini-batch.
  void Weigh(int slot, float keep, float eta) const {
    if (slot == 0) {
      *s = *m = 1.0f;
      *f = 0.0f;
    }
    *s *= eta;
    *m *= keep;
    *f = keep * *f + *s;
    for (int j = 0; j < slot; ++j) {
      momentum[j] *= eta;
      memory[j] = keep * memory[j] + momentum[j];
    }
    momentum[slot] = memory[slot] = 1.0f;
  }

  float* M;         // [key_dim, value_dim], in strips
  float* S;         // likewise
  float* keys;      // [mini_batch, key_dim]
  float* updates;   // [mini_batch, value_dim]: u
  float* momentum;  // [mini_batch]
  float* memory;    // [mini_batch]
  float* s;
  float* m;
  float* f;
};

// u of token `slot` and what it reads, on a strip at `column`. weights [slot +
// 1] are the memory's, times q . k_j.
template <int kLanes>
void Strip(const TitansShape& shape, const State& state, int slot, float theta,
           const float* weights, const float* q, const float* v, int column,
           float* out) {
  const int K = shape.key_dim, V = shape.value_dim;
  const float* M = state.M + column * K;
  const float* S = state.S + column * K;
  F32x4 recalled[kLanes], from_m[kLanes], from_s[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    recalled[l] = from_m[l] = from_s[l] = Splat(0.0f);
  }
  const float* k = state.keys + slot * K;
  for (int i = 0; i < K; ++i) {
    for (int l = 0; l < kLanes; ++l, M += 4, S += 4) {
      const F32x4 m = Load(M);
      recalled[l] = MulAdd(Splat(k[i]), m, recalled[l]);
      from_m[l] = MulAdd(Splat(q[i]), m, from_m[l]);
      from_s[l] = MulAdd(Splat(q[i]), Load(S), from_s[l]);
    }
  }
  float* updates = state.updates + column;
  for (int l = 0; l < kLanes; ++l) {
    Store(updates + slot * V + 4 * l,
          Mul(Splat(theta), Sub(Load(v + column + 4 * l), recalled[l])));
    F32x4 read =
        MulAdd(Splat(*state.m), from_m[l], Mul(Splat(*state.f), from_s[l]));
    for (int j = 0; j <= slot; ++j) {
      read = MulAdd(Splat(weights[j]), Load(updates + j * V + 4 * l), read);
    }
    Store(out + column + 4 * l, read);
  }
}

// M and S after the mini-batch's last token, on a strip.
template <int kLanes>
void Learn(const TitansShape& shape, const State& state, int column) {
  const int K = shape.key_dim, V = shape.value_dim;
  const F32x4 s = Splat(*state.s), m = Splat(*state.m), f = Splat(*state.f);
  float* M = state.M + column * K;
  float* S = state.S + column * K;
  for (int i = 0; i < K; ++i, M += 4 * kLanes, S += 4 * kLanes) {
    F32x4 new_m[kLanes], new_s[kLanes];
    for (int l = 0; l < kLanes; ++l) {
      const F32x4 old = Load(S + 4 * l);
      new_s[l] = Mul(s, old);
      new_m[l] = MulAdd(m, Load(M + 4 * l), Mul(f, old));
    }
    for (int j = 0; j < shape.mini_batch; ++j) {
      const float k = state.keys[j * K + i];
      const F32x4 to_s = Splat(state.momentum[j] * k);
      const F32x4 to_m = Splat(state.memory[j] * k);
      const float* u = state.updates + j * V + column;
      for (int l = 0; l < kLanes; ++l) {
        new_s[l] = MulAdd(to_s, Load(u + 4 * l), new_s[l]);
        new_m[l] = MulAdd(to_m, Load(u + 4 * l), new_m[l]);
      }
    }
    for (int l = 0; l < kLanes; ++l) {
      Store(S + 4 * l, new_s[l]);
      Store(M + 4 * l, new_m[l]);
    }
  }
}

}  // namespace

void TitansMiniBatch(int position, int tokens, const TitansShape& shape,
                     const TitansArgs& a, int head) {
  const int K = shape.key_dim, V = shape.value_dim, n = shape.mini_batch;
  DCHECK(K % 4 == 0 && V % 4 == 0 && head < shape.heads);
  DCHECK(n > 1 && n <= kMaxTitansMiniBatch);
  DCHECK(a.state_stride >= TitansStateFloats(shape));
  const State state(shape, a.state + head * a.state_stride);
  for (int t = 0; t < tokens; ++t) {
    const int slot = (position + t) % n, gate = t * shape.heads + head;
    const float* q = a.q + t * a.q_stride + head * K;
    state.Weigh(slot, 1.0f - a.alpha[gate], a.eta[gate]);
    std::copy_n(a.k + t * a.k_stride + head * K, K, state.keys + slot * K);
    float weights[kMaxTitansMiniBatch];
    for (int j = 0; j <= slot; ++j) {
      weights[j] = state.memory[j] * Dot(K, q, state.keys + j * K);
    }
    ForEachStrip(V, [&](auto lanes, int column) {
      Strip<decltype(lanes)::value>(shape, state, slot, a.theta[gate], weights,
                                    q, a.v + t * a.v_stride + head * V, column,
                                    a.out + t * a.out_stride + head * V);
    });
    if (slot + 1 < n) continue;
    ForEachStrip(V, [&](auto lanes, int column) {
      Learn<decltype(lanes)::value>(shape, state, column);
    });
    // So that a state between mini-batches is M and S, and nothing else.
    std::fill(state.keys, state.f + 1, 0.0f);
  }
}

}  // namespace fastweights
