// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/least_squares/least_squares.h"

namespace fastweights {

void LeastSquaresGainNaive(int tokens, const LeastSquaresShape& shape,
                           const LeastSquaresArgs& a) {
  const int K = shape.key_dim;
  for (int h = 0; h < shape.key_heads; ++h) {
    float* A = a.root + h * a.root_stride;
    std::vector<double> P(K * K, 0.0), Pk(K);
    for (int i = 0; i < K * K * K; ++i) {
      const int row = i / K / K, column = i / K % K, j = i % K;
      P[row * K + column] += double{A[row * K + j]} * A[column * K + j];
    }
    for (int t = 0; t < tokens; ++t) {
      const float* k = a.k + t * a.k_stride + h * K;
      double lambda = a.lambda ? a.lambda[t * shape.key_heads + h] : 1.0;
      double largest = 0;
      for (int i = 0; i < K; ++i) largest = std::max(largest, P[i * K + i]);
      if (largest > lambda * shape.largest) lambda = 1.0;
      double kPk = 0;
      for (int i = 0; i < K; ++i) {
        Pk[i] = 0;
        for (int j = 0; j < K; ++j) Pk[i] += P[i * K + j] * k[j];
        kPk += k[i] * Pk[i];
      }
      for (int i = 0; i < K; ++i) {
        a.gain[t * a.gain_stride + h * K + i] =
            static_cast<float>(Pk[i] / (lambda + kPk));
        // The product first: what is not symmetric would grow by 1 / lambda a
        // token, and no key would ever make it less.
        for (int j = 0; j < K; ++j) {
          P[i * K + j] -= Pk[i] * Pk[j] / (lambda + kPk);
          P[i * K + j] /= lambda;
        }
      }
    }
    // Cholesky's factor, row by row in the place of P.
    for (int i = 0; i < K; ++i) {
      for (int j = 0; j <= i; ++j) {
        double left = P[i * K + j];
        for (int l = 0; l < j; ++l) left -= P[i * K + l] * P[j * K + l];
        P[i * K + j] = i == j ? std::sqrt(left) : left / P[j * K + j];
      }
      std::fill(&P[i * K] + i + 1, &P[i * K] + K, 0.0);
    }
    std::copy(P.begin(), P.end(), A);
  }
}

}  // namespace fastweights
