// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/normaliser.h"

namespace fastweights {

namespace {

int KeyHead(const LinearRecurrenceShape& shape, int head) {
  return shape.order == KeyHeads::kTiled
             ? head % shape.key_heads
             : head / (shape.heads / shape.key_heads);
}

// The decay of token t, head h and key channel i.
double DecayOf(const LinearRecurrenceShape& shape,
               const LinearRecurrenceArgs& a, int t, int h, int i) {
  const int th = t * shape.heads + h;
  if (shape.decay == Decay::kNone) return 1;
  return std::exp(double{
      shape.decay == Decay::kPerHead ? a.g[th] : a.g[th * shape.key_dim + i]});
}

}  // namespace

void LinearRecurrenceNaive(int tokens, const LinearRecurrenceShape& shape,
                           const LinearRecurrenceArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  for (int h = 0; h < shape.heads; ++h) {
    const int kh = KeyHead(shape, h);
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
      for (int i = 0; i < K; ++i) {
        const double decay = DecayOf(shape, a, t, h, i);
        for (int j = 0; j < V; ++j) S[i * V + j] *= decay;
      }
      for (int j = 0; j < V; ++j) {
        double u = v[j];
        if (shape.erase == Erase::kDelta)
          u = a.beta[t * shape.heads + h] * (u - recall(p, j));
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

void NormaliseNaive(int tokens, const LinearRecurrenceShape& shape,
                    const LinearRecurrenceArgs& cell,
                    const NormaliserArgs& args) {
  const int K = shape.key_dim, V = shape.value_dim;
  for (int h = 0; h < shape.heads; ++h) {
    const int kh = KeyHead(shape, h);
    float* state = args.z + h * args.z_stride;
    std::vector<double> z(state, state + K);
    for (int t = 0; t < tokens; ++t) {
      double sum = 0;
      for (int i = 0; i < K; ++i) {
        z[i] = DecayOf(shape, cell, t, h, i) * z[i] +
               cell.k[t * cell.k_stride + kh * K + i];
        sum += z[i] * cell.q[t * cell.q_stride + kh * K + i];
      }
      if (args.kind == Normaliser::kSumOrOne) {
        const double floor = args.floor[t * shape.heads + h];
        sum = std::max(std::abs(sum), floor);
      }
      for (int j = 0; j < V; ++j) {
        float& o = cell.out[t * cell.out_stride + h * V + j];
        o = static_cast<float>(o / (sum + args.epsilon));
      }
    }
    std::copy(z.begin(), z.end(), state);
  }
}

void StabiliseMlstmNaive(int tokens, const LinearRecurrenceShape& shape,
                         const MlstmGates& gates) {
  for (int h = 0; h < shape.heads; ++h) {
    double m = gates.m[h];
    for (int t = 0; t < tokens; ++t) {
      float& i = gates.i[t * shape.heads + h];
      float& f = gates.f[t * shape.heads + h];
      float* k = gates.k + t * gates.k_stride + h * shape.key_dim;
      const double kept =
          m - std::max(-f, 0.0f) - std::log1p(std::exp(-std::abs(double{f})));
      m = std::max(kept, double{i});
      for (int c = 0; c < shape.key_dim; ++c) {
        k[c] = static_cast<float>(k[c] * std::exp(i - m));
      }
      f = static_cast<float>(kept - m);
      i = static_cast<float>(std::exp(-m));
    }
    gates.m[h] = static_cast<float>(m);
  }
}

}  // namespace fastweights
