// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include "kernels/linear_recurrence/linear_recurrence.h"

namespace fastweights {

void LinearRecurrenceNaive(int tokens, const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  for (int h = 0; h < shape.heads; ++h) {
    const int kh = shape.order == KeyHeads::kTiled
                       ? h % shape.key_heads
                       : h / (shape.heads / shape.key_heads);
    float* state = a.state + h * a.state_stride;
    std::vector<double> S(K * V);
    for (int i = 0; i < K * V; ++i) {
      S[i] = state[StateIndex(shape, i / V, i % V)];
    }
    for (int t = 0; t < tokens; ++t) {
      const float* q = a.q + t * a.q_stride + kh * K;
      const float* k = a.k + t * a.k_stride + kh * K;
      const float* v = a.v + t * a.v_stride + h * V;
      const float* p = shape.erase == Erase::kDelta ? k
                       : a.p == nullptr             ? nullptr
                                        : a.p + t * a.p_stride + kh * K;
      const int th = t * shape.heads + h;
      // x^T S
      const auto recall = [&](const float* x, int j) {
        double sum = 0;
        for (int i = 0; i < K; ++i) sum += x[i] * S[i * V + j];
        return sum;
      };
      std::vector<double> erased(V), out(V);
      for (int j = 0; j < V; ++j) {
        if (shape.erase == Erase::kLowRank) erased[j] = recall(p, j);
        if (shape.read == Read::kBeforeWrite) out[j] = recall(q, j);
      }
      for (int i = 0; i < K && shape.decay != Decay::kNone; ++i) {
        const double g =
            shape.decay == Decay::kPerHead ? a.g[th] : a.g[th * K + i];
        for (int j = 0; j < V; ++j) S[i * V + j] *= std::exp(g);
      }
      for (int j = 0; j < V; ++j) {
        double u = v[j];
        if (shape.erase == Erase::kDelta) u = a.beta[th] * (u - recall(p, j));
        if (shape.erase == Erase::kKey) u -= recall(p, j);
        for (int i = 0; i < K; ++i) {
          if (shape.read == Read::kBeforeWrite) {
            out[j] += double{q[i]} * a.bonus[h * K + i] * k[i] * u;
          }
          S[i * V + j] += k[i] * u;
          if (shape.erase == Erase::kLowRank) {
            S[i * V + j] -= a.b[t * a.b_stride + kh * K + i] * erased[j];
          }
        }
        if (shape.read == Read::kAfterWrite) out[j] = recall(q, j);
        a.out[t * a.out_stride + h * V + j] = static_cast<float>(out[j]);
      }
    }
    for (int i = 0; i < K * V; ++i) {
      state[StateIndex(shape, i / V, i % V)] = static_cast<float>(S[i]);
    }
  }
}

}  // namespace fastweights
