// SPDX-License-Identifier: MIT
#include <vector>

#include "kernels/titans/titans.h"

namespace fastweights {

void TitansNaive(int tokens, const TitansShape& shape, const TitansArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  for (int h = 0; h < shape.heads; ++h) {
    float* memory = a.state + h * a.state_stride;
    float* momentum = memory + K * V;
    std::vector<double> M(K * V), S(K * V);
    for (int i = 0; i < K * V; ++i) {
      M[i] = memory[StateIndex(shape, i / V, i % V)];
      S[i] = momentum[StateIndex(shape, i / V, i % V)];
    }
    std::vector<double> start;  // M where the mini-batch began
    for (int t = 0; t < tokens; ++t) {
      if (t % shape.mini_batch == 0) start = M;
      const float* q = a.q + t * a.q_stride + h * K;
      const float* k = a.k + t * a.k_stride + h * K;
      const float* v = a.v + t * a.v_stride + h * V;
      const int gate = t * shape.heads + h;
      const double alpha = a.alpha[gate], eta = a.eta[gate];
      const double theta = a.theta[gate];
      for (int j = 0; j < V; ++j) {
        double error = -double{v[j]};
        for (int i = 0; i < K; ++i) error += start[i * V + j] * k[i];
        double o = 0;
        for (int i = 0; i < K; ++i) {
          double& s = S[i * V + j];
          double& m = M[i * V + j];
          s = eta * s - theta * k[i] * error;
          m = (1 - alpha) * m + s;
          o += m * q[i];
        }
        a.out[t * a.out_stride + h * V + j] = static_cast<float>(o);
      }
      if ((t + 1) % shape.mini_batch != 0) continue;
      for (int i = 0; i < K * V; ++i) {
        const int at = StateIndex(shape, i / V, i % V);
        memory[at] = static_cast<float>(M[i]);
        momentum[at] = static_cast<float>(S[i]);
      }
    }
  }
}

}  // namespace fastweights
