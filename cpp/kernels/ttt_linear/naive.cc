// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include "kernels/ttt_linear/ttt_linear.h"

namespace fastweights {
namespace {

using Row = std::vector<double>;

// (z - mean) / deviation; also the deviation.
Row Normalised(const Row& z, double epsilon, double* deviation) {
  const double D = static_cast<double>(z.size());
  double mean = 0, variance = 0;
  for (const double x : z) mean += x / D;
  for (const double x : z) variance += (x - mean) * (x - mean) / D;
  *deviation = std::sqrt(variance + epsilon);
  Row hat;
  for (const double x : z) hat.push_back((x - mean) / *deviation);
  return hat;
}

}  // namespace

void TttLinearNaive(int tokens, const TttLinearShape& shape,
                    const TttLinearArgs& a) {
  const int D = shape.dim;
  for (int h = 0; h < shape.heads; ++h) {
    float* state = a.state + h * a.state_stride;
    Row W(D * D), b(state + D * D, state + D * D + D);
    for (int i = 0; i < D * D; ++i) {
      W[i] = state[StateIndex(shape, i / D, i % D)];
    }
    // What the mini-batch has taught so far: sums of lr k g^T and of lr g.
    Row dW(D * D, 0.0), db(D, 0.0);
    const float* gamma = a.gamma + h * D;
    const float* beta = a.beta + h * D;
    for (int t = 0; t < tokens; ++t) {
      const float* q = a.q + t * a.q_stride + h * D;
      const float* k = a.k + t * a.k_stride + h * D;
      const float* v = a.v + t * a.v_stride + h * D;
      const double eta = a.eta[t * shape.heads + h];
      const double lr = a.lr ? a.lr[t * shape.heads + h] : 1.0;
      Row z = b;
      for (int i = 0; i < D * D; ++i) z[i % D] += W[i] * k[i / D];
      double deviation;
      const Row hat = Normalised(z, shape.epsilon, &deviation);
      // Backwards through the loss, gamma and the normalisation.
      Row d(D);
      double mean = 0, along = 0;
      for (int j = 0; j < D; ++j) {
        d[j] = (gamma[j] * hat[j] + beta[j] - (double{v[j]} - k[j])) * gamma[j];
        mean += d[j] / D;
        along += d[j] * hat[j] / D;
      }
      for (int j = 0; j < D; ++j) {
        const double g = lr * (d[j] - mean - hat[j] * along) / deviation;
        for (int i = 0; i < D; ++i) dW[i * D + j] += k[i] * g;
        db[j] += g;
      }
      Row y(D);
      for (int j = 0; j < D; ++j) {
        y[j] = b[j] - eta * db[j];
        for (int i = 0; i < D; ++i) {
          y[j] += (W[i * D + j] - eta * dW[i * D + j]) * q[i];
        }
      }
      const Row normal = Normalised(y, shape.epsilon, &deviation);
      for (int j = 0; j < D; ++j) {
        const double base = shape.residual == TttResidual::kQuery ? q[j] : y[j];
        a.out[t * a.out_stride + h * D + j] =
            static_cast<float>(base + gamma[j] * normal[j] + beta[j]);
      }
      if ((t + 1) % shape.mini_batch != 0) continue;
      for (int i = 0; i < D * D; ++i) {
        W[i] -= eta * dW[i];
        state[StateIndex(shape, i / D, i % D)] = static_cast<float>(W[i]);
      }
      for (int j = 0; j < D; ++j) {
        b[j] -= eta * db[j];
        state[D * D + j] = static_cast<float>(b[j]);
      }
      dW.assign(D * D, 0.0);
      db.assign(D, 0.0);
    }
  }
}

}  // namespace fastweights
