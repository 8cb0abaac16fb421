// SPDX-License-Identifier: MIT
#include "kernels/ttt_linear/ttt_linear.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/dot.h"
#include "kernels/linear_recurrence/strips.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// A head's part of the arguments.
struct Head {
  const float* gamma;  // [dim]
  const float* beta;   // [dim]
  float* W;            // [dim, dim], in strips
  float* b;            // [dim]
  float* keys;         // [mini_batch, dim]
  float* gradients;    // [mini_batch, dim], times lr
};

struct Moments {
  F32x4 mean;
  float deviation;
  F32x4 inverse;  // of the deviation
};

Moments MomentsOf(int dim, const float* z, float epsilon) {
  F32x4 sum = Splat(0.0f);
  for (int j = 0; j < dim; j += 4) sum = Add(sum, Load(z + j));
  const F32x4 mean = Splat(Sum(sum) / static_cast<float>(dim));
  F32x4 squares = Splat(0.0f);
  for (int j = 0; j < dim; j += 4) {
    const F32x4 x = Sub(Load(z + j), mean);
    squares = MulAdd(x, x, squares);
  }
  const float deviation =
      std::sqrt(Sum(squares) / static_cast<float>(dim) + epsilon);
  return {mean, deviation, Splat(1.0f / deviation)};
}

// W^T k + b and W^T q + b.
void Recall(int dim, const Head& head, const float* k, const float* q,
            float* from_k, float* from_q) {
  ForEachStrip(dim, [&](auto lanes, int column) {
    constexpr int kLanes = decltype(lanes)::value;
    const float* row = head.W + column * dim;
    F32x4 zk[kLanes], zq[kLanes];
    for (int l = 0; l < kLanes; ++l) {
      zk[l] = zq[l] = Load(head.b + column + 4 * l);
    }
    for (int i = 0; i < dim; ++i, row += 4 * kLanes) {
      for (int l = 0; l < kLanes; ++l) {
        const F32x4 w = Load(row + 4 * l);
        zk[l] = MulAdd(Splat(k[i]), w, zk[l]);
        zq[l] = MulAdd(Splat(q[i]), w, zq[l]);
      }
    }
    for (int l = 0; l < kLanes; ++l) {
      Store(from_k + column + 4 * l, zk[l]);
      Store(from_q + column + 4 * l, zq[l]);
    }
  });
}

// z becomes lr times the gradient in it of |LN(z) - (v - k)|^2 / 2: with
// h = (z - mean) / deviation and d = gamma (LN(z) - (v - k)) that is
// (d - mean(d) - h mean(d h)) / deviation.
void Gradient(int dim, const Head& head, float epsilon, float lr,
              const float* k, const float* v, float* z) {
  const Moments m = MomentsOf(dim, z, epsilon);
  const auto hat = [&](int j) {
    return Mul(Sub(Load(z + j), m.mean), m.inverse);
  };
  const auto backward = [&](int j, F32x4 h) {
    const F32x4 gamma = Load(head.gamma + j);
    const F32x4 target = Sub(Load(v + j), Load(k + j));
    const F32x4 error = Sub(MulAdd(gamma, h, Load(head.beta + j)), target);
    return Mul(error, gamma);
  };
  F32x4 sum = Splat(0.0f), along = Splat(0.0f);
  for (int j = 0; j < dim; j += 4) {
    const F32x4 h = hat(j), d = backward(j, h);
    sum = Add(sum, d);
    along = MulAdd(d, h, along);
  }
  const F32x4 mean = Splat(Sum(sum) / static_cast<float>(dim));
  const F32x4 minus = Splat(-Sum(along) / static_cast<float>(dim));
  const F32x4 scale = Splat(lr / m.deviation);
  for (int j = 0; j < dim; j += 4) {
    const F32x4 h = hat(j), d = backward(j, h);
    Store(z + j, Mul(scale, MulAdd(h, minus, Sub(d, mean))));
  }
}

// y = W^T q + b, which is there, less what tokens [0, count) of the mini-batch
// have taught: eta sum_s (q . k_s + 1) g_s, where the 1 is b's.
void Correct(int dim, const Head& head, int count, float eta, const float* q,
             float* y) {
  float weights[kMaxMiniBatch];
  for (int s = 0; s < count; ++s) {
    weights[s] = -eta * (Dot(dim, q, head.keys + s * dim) + 1.0f);
  }
  for (int j = 0; j < dim; j += 4) {
    F32x4 sum = Load(y + j);
    for (int s = 0; s < count; ++s) {
      sum = MulAdd(Splat(weights[s]), Load(head.gradients + s * dim + j), sum);
    }
    Store(y + j, sum);
  }
}

// y = base + LN(y)
void AddNorm(int dim, const Head& head, float epsilon, const float* base,
             float* y) {
  const Moments m = MomentsOf(dim, y, epsilon);
  for (int j = 0; j < dim; j += 4) {
    const F32x4 h = Mul(Sub(Load(y + j), m.mean), m.inverse);
    const F32x4 norm = MulAdd(Load(head.gamma + j), h, Load(head.beta + j));
    Store(y + j, Add(Load(base + j), norm));
  }
}

// The step that ends a mini-batch, eta being its last token's.
void Learn(int dim, const Head& head, int mini_batch, float eta) {
  const F32x4 rate = Splat(-eta);
  ForEachStrip(dim, [&](auto lanes, int column) {
    constexpr int kLanes = decltype(lanes)::value;
    const float* g = head.gradients + column;
    const auto add = [&](float* to, const auto& key) {
      F32x4 sum[kLanes];
      for (int l = 0; l < kLanes; ++l) sum[l] = Splat(0.0f);
      for (int s = 0; s < mini_batch; ++s) {
        const F32x4 k = Splat(key(s));
        for (int l = 0; l < kLanes; ++l) {
          sum[l] = MulAdd(k, Load(g + s * dim + 4 * l), sum[l]);
        }
      }
      for (int l = 0; l < kLanes; ++l) {
        Store(to + 4 * l, MulAdd(rate, sum[l], Load(to + 4 * l)));
      }
    };
    float* row = head.W + column * dim;
    for (int i = 0; i < dim; ++i, row += 4 * kLanes) {
      add(row, [&](int s) { return head.keys[s * dim + i]; });
    }
    add(head.b + column, [](int) { return 1.0f; });
  });
}

}  // namespace

void TttLinear(int position, int tokens, const TttLinearShape& shape,
               const TttLinearArgs& a, int head_index) {
  const int D = shape.dim;
  DCHECK(D > 0 && D % 4 == 0 && head_index < shape.heads);
  DCHECK(shape.mini_batch >= 1 && shape.mini_batch <= kMaxMiniBatch);
  DCHECK(a.state_stride >= TttLinearStateFloats(shape));
  float* W = a.state + head_index * a.state_stride;
  float* b = W + D * D;
  const Head head = {.gamma = a.gamma + head_index * D,
                     .beta = a.beta + head_index * D,
                     .W = W,
                     .b = b,
                     .keys = b + D,
                     .gradients = b + D + shape.mini_batch * D};
  for (int t = 0; t < tokens; ++t) {
    const int slot = (position + t) % shape.mini_batch;
    const float* q = a.q + t * a.q_stride + head_index * D;
    const float* k = a.k + t * a.k_stride + head_index * D;
    const float* v = a.v + t * a.v_stride + head_index * D;
    float* out = a.out + t * a.out_stride + head_index * D;
    float* gradient = head.gradients + slot * D;
    const float eta = a.eta[t * shape.heads + head_index];
    const float lr = a.lr ? a.lr[t * shape.heads + head_index] : 1.0f;
    std::copy_n(k, D, head.keys + slot * D);
    Recall(D, head, k, q, gradient, out);
    Gradient(D, head, shape.epsilon, lr, k, v, gradient);
    Correct(D, head, slot + 1, eta, q, out);
    AddNorm(D, head, shape.epsilon,
            shape.residual == TttResidual::kQuery ? q : out, out);
    if (slot + 1 < shape.mini_batch) continue;
    Learn(D, head, shape.mini_batch, eta);
    // So that a state between mini-batches is W and b, and nothing else.
    std::fill_n(head.keys, 2 * shape.mini_batch * D, 0.0f);
  }
}

}  // namespace fastweights
