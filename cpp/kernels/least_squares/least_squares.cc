// SPDX-License-Identifier: MIT
#include "kernels/least_squares/least_squares.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/dot.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// Rows are taken two at a time, which halves the traffic of their sums and
// keeps two chains of additions busy.
struct Two {
  float first, second;
};

// rows [2, dim] times a.
Two Product(int dim, const float* rows, const float* a) {
  F32x4 first = Splat(0.0f), second = Splat(0.0f);
  for (int j = 0; j < dim; j += 4) {
    first = MulAdd(Load(rows + j), Load(a + j), first);
    second = MulAdd(Load(rows + dim + j), Load(a + j), second);
  }
  return {Sum(first), Sum(second)};
}

// sum += k[0] row 0 + k[1] row 1; the larger |row|^2. Before that, if so told,
// row i becomes scale (row i + factor_i a).
template <bool kWrite>
float Recall(int dim, Two factor, float scale, const float* a, const float* k,
             float* rows, float* sum) {
  F32x4 norm[2] = {Splat(0.0f), Splat(0.0f)};
  const F32x4 factors[2] = {Splat(factor.first), Splat(factor.second)};
  for (int j = 0; j < dim; j += 4) {
    F32x4 total = Load(sum + j);
    for (int r = 0; r < 2; ++r) {
      F32x4 x = Load(rows + r * dim + j);
      if constexpr (kWrite) {
        x = Mul(Splat(scale), MulAdd(factors[r], Load(a + j), x));
        Store(rows + r * dim + j, x);
      }
      total = MulAdd(Splat(k[r]), x, total);
      norm[r] = MulAdd(x, x, norm[r]);
    }
    Store(sum + j, total);
  }
  return std::max(Sum(norm[0]), Sum(norm[1]));
}

}  // namespace

void LeastSquaresStart(const LeastSquaresShape& shape, float delta,
                       float* root) {
  const int K = shape.key_dim;
  std::fill_n(root, K * K, 0.0f);
  for (int i = 0; i < K; ++i) root[i * K + i] = 1.0f / std::sqrt(delta);
}

// With a = A^T k and D = lambda + a . a, P k = A a and
//
//   A <- (A - A a a^T / (D + sqrt(lambda D))) / sqrt(lambda)
//
// whose product with its transpose is the new P. Row i of A a and of the update
// need only row i of A, and the next token's a is a sum over the new rows.
void LeastSquaresGain(int tokens, const LeastSquaresShape& shape,
                      const LeastSquaresArgs& args, int head, float* scratch) {
  const int K = shape.key_dim;
  DCHECK(K > 0 && K % 4 == 0 && head < shape.key_heads);
  if (tokens == 0) return;
  float* root = args.root + head * args.root_stride;
  const float* k = args.k + head * K;
  float* a = scratch;
  float* next = scratch + K;
  float largest = 0.0f;  // element of P: one of its diagonal
  std::fill_n(a, K, 0.0f);
  for (int i = 0; i < K; i += 2) {
    largest = std::max(
        largest, Recall<false>(K, {}, 1.0f, nullptr, k + i, root + i * K, a));
  }
  for (int t = 0; t < tokens; ++t) {
    float lambda = args.lambda ? args.lambda[t * shape.key_heads + head] : 1.0f;
    if (largest > lambda * shape.largest) lambda = 1.0f;
    const float D = lambda + Dot(K, a, a);
    const float step = -1.0f / (D + std::sqrt(lambda * D));
    const float scale = 1.0f / std::sqrt(lambda);
    // The last token recalls for itself, and to no avail.
    if (t + 1 < tokens) k += args.k_stride;
    float* gain = args.gain + t * args.gain_stride + head * K;
    std::fill_n(next, K, 0.0f);
    largest = 0.0f;
    for (int i = 0; i < K; i += 2) {
      float* rows = root + i * K;
      const Two Pk = Product(K, rows, a);
      gain[i] = Pk.first / D;
      gain[i + 1] = Pk.second / D;
      const Two factor = {step * Pk.first, step * Pk.second};
      largest = std::max(largest,
                         Recall<true>(K, factor, scale, a, k + i, rows, next));
    }
    std::swap(a, next);
  }
}

}  // namespace fastweights
