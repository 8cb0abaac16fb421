// SPDX-License-Identifier: MIT
#include "base/check.h"
#include "kernels/dot.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/simd.h"
#include "kernels/titans/titans.h"

namespace fastweights {
namespace {

// One head's view of the inputs at one token.
struct Token {
  const float* q;  // [key_dim]
  const float* k;  // [key_dim]
  float keep;      // 1 - alpha
  float eta;
  float theta;
};

// What a strip holds for a token before it is written.
template <int kLanes>
struct Recalled {
  F32x4 value[kLanes];  // M^T k
  F32x4 read[kLanes];   // (keep M + eta S)^T q
};

// Writes `now`, whose update is u, unless there is none yet, and recalls `next`
// from what that leaves, unless `now` is the last.
template <bool kWrite, bool kRecall, int kLanes>
Recalled<kLanes> Pass(int key_dim, const Token& now, const F32x4* u,
                      const Token& next, float* memory, float* momentum) {
  Recalled<kLanes> recalled;
  for (int l = 0; l < kLanes; ++l) {
    recalled.value[l] = recalled.read[l] = Splat(0.0f);
  }
  for (int i = 0; i < key_dim; ++i) {
    for (int l = 0; l < kLanes; ++l, memory += 4, momentum += 4) {
      F32x4 m = Load(memory), s = Load(momentum);
      if constexpr (kWrite) {
        s = MulAdd(Splat(now.k[i]), u[l], Mul(Splat(now.eta), s));
        m = MulAdd(Splat(now.keep), m, s);
        Store(momentum, s);
        Store(memory, m);
      }
      if constexpr (kRecall) {
        recalled.value[l] = MulAdd(Splat(next.k[i]), m, recalled.value[l]);
        const F32x4 both = MulAdd(Splat(next.keep), m, Mul(Splat(next.eta), s));
        recalled.read[l] = MulAdd(Splat(next.q[i]), both, recalled.read[l]);
      }
    }
  }
  return recalled;
}

// With u = theta (v - M^T k), S_t = eta S + k u^T and
// M_t = keep M + eta S + k u^T, so
//
//   o = M_t^T q = (keep M + eta S)^T q + (k . q) u
//
// and what is read of a token, like what is recalled, comes from the old states
// alone.
template <int kLanes>
void Strip(int tokens, const TitansShape& shape, const TitansArgs& a, int head,
           int column) {
  const int K = shape.key_dim, V = shape.value_dim;
  float* memory = a.state + head * a.state_stride + column * K;
  float* momentum = memory + K * V;
  const auto token = [&](int t) {
    const int gate = t * shape.heads + head;
    return Token{.q = a.q + t * a.q_stride + head * K,
                 .k = a.k + t * a.k_stride + head * K,
                 .keep = 1.0f - a.alpha[gate],
                 .eta = a.eta[gate],
                 .theta = a.theta[gate]};
  };
  Token now = token(0);
  Recalled<kLanes> recalled =
      Pass<false, true, kLanes>(K, now, nullptr, now, memory, momentum);
  for (int t = 0; t < tokens; ++t) {
    const float* v = a.v + t * a.v_stride + head * V + column;
    float* out = a.out + t * a.out_stride + head * V + column;
    const F32x4 kq = Splat(Dot(K, now.k, now.q)), theta = Splat(now.theta);
    F32x4 u[kLanes];
    for (int l = 0; l < kLanes; ++l) {
      u[l] = Mul(theta, Sub(Load(v + 4 * l), recalled.value[l]));
      Store(out + 4 * l, MulAdd(kq, u[l], recalled.read[l]));
    }
    if (t + 1 < tokens) {
      const Token next = token(t + 1);
      recalled = Pass<true, true, kLanes>(K, now, u, next, memory, momentum);
      now = next;
    } else {
      Pass<true, false, kLanes>(K, now, u, now, memory, momentum);
    }
  }
}

}  // namespace

void TitansRecurrent(int tokens, const TitansShape& shape,
                     const TitansArgs& args, int head) {
  DCHECK(shape.key_dim % 4 == 0 && shape.value_dim % 4 == 0);
  DCHECK(shape.mini_batch == 1);
  DCHECK(head < shape.heads && args.state_stride >= TitansStateFloats(shape));
  if (tokens == 0) return;
  ForEachStrip(shape.value_dim, [&](auto lanes, int column) {
    Strip<decltype(lanes)::value>(tokens, shape, args, head, column);
  });
}

}  // namespace fastweights
