// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include "kernels/selective_scan/selective_scan.h"

namespace fastweights {

void SelectiveScanNaive(int tokens, const SelectiveScanShape& shape,
                        const SelectiveScanArgs& a) {
  const int N = shape.state_dim;
  for (int d = 0; d < shape.channels; ++d) {
    std::vector<double> S(a.state + d * N, a.state + (d + 1) * N);
    for (int t = 0; t < tokens; ++t) {
      const double x = a.x[t * a.x_stride + d], dt = a.dt[t * a.dt_stride + d];
      double y = a.D != nullptr ? a.D[d] * x : 0.0;
      for (int n = 0; n < N; ++n) {
        S[n] = std::exp(dt * a.A[d * N + n]) * S[n] +
               dt * x * a.B[t * a.B_stride + n];
        y += a.C[t * a.C_stride + n] * S[n];
      }
      a.out[t * a.out_stride + d] = static_cast<float>(y);
    }
    for (int n = 0; n < N; ++n) a.state[d * N + n] = static_cast<float>(S[n]);
  }
}

}  // namespace fastweights
