// SPDX-License-Identifier: MIT
#include "kernels/least_squares/least_squares.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/dot.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// sum += k_i row, and |row|^2.
float Recall(int dim, float k, const float* row, float* sum) {
  F32x4 norm = Splat(0.0f);
  for (int j = 0; j < dim; j += 4) {
    const F32x4 a = Load(row + j);
    Store(sum + j, MulAdd(Splat(k), a, Load(sum + j)));
    norm = MulAdd(a, a, norm);
  }
  return Sum(norm);
}

// row = scale (row + factor a), then what Recall does.
float WriteAndRecall(int dim, float factor, float scale, const float* a,
                     float k, float* row, float* sum) {
  F32x4 norm = Splat(0.0f);
  for (int j = 0; j < dim; j += 4) {
    const F32x4 x =
        Mul(Splat(scale), MulAdd(Splat(factor), Load(a + j), Load(row + j)));
    Store(row + j, x);
    Store(sum + j, MulAdd(Splat(k), x, Load(sum + j)));
    norm = MulAdd(x, x, norm);
  }
  return Sum(norm);
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
  for (int i = 0; i < K; ++i) {
    largest = std::max(largest, Recall(K, k[i], root + i * K, a));
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
    for (int i = 0; i < K; ++i) {
      float* row = root + i * K;
      const float Pk = Dot(K, row, a);
      gain[i] = Pk / D;
      largest = std::max(
          largest, WriteAndRecall(K, step * Pk, scale, a, k[i], row, next));
    }
    std::swap(a, next);
  }
}

}  // namespace fastweights
