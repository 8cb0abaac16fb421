// SPDX-License-Identifier: MIT
#include "kernels/selective_scan/selective_scan.h"

#include <algorithm>

#include "base/check.h"
#include "kernels/exp.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// Tokens for which the first-level cache keeps B, C and the lines of x, dt and
// out that sixteen neighbouring channels share.
constexpr int kTokens = 64;

}  // namespace

void SelectiveScan(int tokens, const SelectiveScanShape& shape,
                   const SelectiveScanArgs& a, int first, int last) {
  const int N = shape.state_dim;
  DCHECK(N > 0 && N % 4 == 0);
  DCHECK(first >= 0 && last <= shape.channels);
  const Exp exp;
  for (int start = 0; start < tokens; start += kTokens) {
    const int end = std::min(start + kTokens, tokens);
    for (int d = first; d < last; ++d) {
      const float* A = a.A + d * N;
      float* state = a.state + d * N;
      const float skip = a.D != nullptr ? a.D[d] : 0.0f;
      for (int t = start; t < end; ++t) {
        const float x = a.x[t * a.x_stride + d];
        const float step = a.dt[t * a.dt_stride + d];
        const float* B = a.B + t * a.B_stride;
        const float* C = a.C + t * a.C_stride;
        const F32x4 dt = Splat(step), input = Splat(step * x);
        F32x4 sum = Splat(0.0f);
        for (int n = 0; n < N; n += 4) {
          const F32x4 decay = exp(Mul(dt, Load(A + n)));
          const F32x4 s =
              MulAdd(decay, Load(state + n), Mul(input, Load(B + n)));
          Store(state + n, s);
          sum = MulAdd(Load(C + n), s, sum);
        }
        a.out[t * a.out_stride + d] = Sum(sum) + skip * x;
      }
    }
  }
}

}  // namespace fastweights
