// SPDX-License-Identifier: MIT

// What the gain is for: laws that need no second implementation.

#include "kernel_test.h"
#include "kernels/least_squares/least_squares.h"

namespace fastweights {
namespace {

// One head's text.
struct Keys {
  Keys(const LeastSquaresShape& shape, int tokens, float forgetting,
       float delta)
      : shape(shape),
        all(Random(tokens).Normals(tokens * shape.key_dim)),
        lambda(tokens, forgetting),
        root(shape.key_dim * shape.key_dim),
        gain(all.size(), NAN) {
    LeastSquaresStart(shape, delta, root.data());
  }
  float* k(int t) { return all.data() + t * shape.key_dim; }
  void Run() {
    std::vector<float> scratch(LeastSquaresScratchFloats(shape));
    LeastSquaresGain(static_cast<int>(lambda.size()), shape,
                     {.k = all.data(),
                      .k_stride = shape.key_dim,
                      .lambda = lambda.data(),
                      .root = root.data(),
                      .root_stride = 0,
                      .gain = gain.data(),
                      .gain_stride = shape.key_dim},
                     0, scratch.data());
  }
  std::vector<double> P() const {
    const int K = shape.key_dim;
    std::vector<double> P(K * K, 0.0);
    for (int i = 0; i < K * K; ++i) {
      for (int j = 0; j < K; ++j) {
        P[i] += double{root[i / K * K + j]} * root[i % K * K + j];
      }
    }
    return P;
  }

  LeastSquaresShape shape;
  std::vector<float> all, lambda, root, gain;
};

// Solves A X = B, both [n, ...] by rows, A symmetric and positive; B becomes X.
void Solve(int n, std::vector<double> A, int columns, std::vector<double>* B) {
  for (int p = 0; p < n; ++p) {
    for (int i = 0; i < n; ++i) {
      if (i == p) continue;
      const double factor = A[i * n + p] / A[p * n + p];
      for (int j = 0; j < n; ++j) A[i * n + j] -= factor * A[p * n + j];
      for (int j = 0; j < columns; ++j) {
        (*B)[i * columns + j] -= factor * (*B)[p * columns + j];
      }
    }
  }
  for (int i = 0; i < n * columns; ++i) {
    (*B)[i] /= A[i / columns * n + i / columns];
  }
}

// The delta rule that erases along the gain, S += gain (v - S^T k)^T, leaves
// the ridge regression of all values on their keys.
TEST(LeastSquaresGain, DeltaRuleAlongItIsRidgeRegression) {
  constexpr int kTokens = 10'000, kDim = 16, kValueDim = 4;
  const LeastSquaresShape shape = {
      .key_heads = 1, .key_dim = kDim, .largest = INFINITY};
  const std::pair<float, float> kCases[] = {
      {1.0f, 1e-3f}, {0.999f, 1e-3f}, {0.99f, 1e-3f}, {1.0f, 1e-6f}};
  for (const auto& [lambda, delta] : kCases) {
    SCOPED_TRACE(testing::Message() << lambda << ", " << delta);
    Keys keys(shape, kTokens, lambda, delta);
    // Keys that have much in common, as those of a model do.
    for (int t = 0; t < kTokens; ++t) {
      for (int i = 0; i < kDim; ++i) keys.k(t)[i] = 0.3f * keys.k(t)[i] + 1;
    }
    const std::vector<float> v = Random(9).Normals(kTokens * kValueDim);
    keys.Run();
    const std::vector<float>& gain = keys.gain;
    std::vector<float> S(kDim * kValueDim, 0.0f);
    std::vector<double> A(kDim * kDim, 0.0), B(kDim * kValueDim, 0.0);
    for (int i = 0; i < kDim; ++i) A[i * kDim + i] = delta;
    for (int t = 0; t < kTokens; ++t) {
      const float* k = keys.k(t);
      for (int j = 0; j < kValueDim; ++j) {
        float error = v[t * kValueDim + j];
        for (int i = 0; i < kDim; ++i) error -= S[i * kValueDim + j] * k[i];
        for (int i = 0; i < kDim; ++i) {
          S[i * kValueDim + j] += gain[t * kDim + i] * error;
        }
      }
      for (int i = 0; i < kDim; ++i) {
        for (int j = 0; j < kDim; ++j) {
          A[i * kDim + j] =
              double{lambda} * A[i * kDim + j] + double{k[i]} * k[j];
        }
        for (int j = 0; j < kValueDim; ++j) {
          B[i * kValueDim + j] = double{lambda} * B[i * kValueDim + j] +
                                 double{k[i]} * v[t * kValueDim + j];
        }
      }
    }
    std::vector<double> P(kDim * kDim, 0.0);
    for (int i = 0; i < kDim; ++i) P[i * kDim + i] = 1.0;
    Solve(kDim, A, kDim, &P);
    Solve(kDim, A, kValueDim, &B);
    EXPECT_TRUE(Near(S, B, 1e-3));
    EXPECT_TRUE(Near(keys.P(), P, 1e-3));
  }
}

// x . P x > 0 for all x: Cholesky's pivots are.
void ExpectPositiveDefinite(int dim, std::vector<double> P) {
  for (int p = 0; p < dim; ++p) {
    const double pivot = P[p * dim + p];
    ASSERT_GT(pivot, 0.0) << p;
    ASSERT_LT(pivot, INFINITY) << p;
    for (int i = p + 1; i < dim; ++i) {
      const double factor = P[i * dim + p] / pivot;
      for (int j = p; j < dim; ++j) P[i * dim + j] -= factor * P[p * dim + j];
    }
  }
}

// Nothing to hold against forgetting: keys only ever point in two directions,
// or nowhere.
TEST(LeastSquaresGain, StaysPositiveAndFiniteWithoutExcitation) {
  constexpr int kTokens = 100'000, kDim = 8;
  constexpr float kLargest = 1e4f;
  const LeastSquaresShape shape = {
      .key_heads = 1, .key_dim = kDim, .largest = kLargest};
  for (const bool zero : {false, true}) {
    Keys keys(shape, kTokens, 0.99f, 1e-2f);
    for (int t = 0; t < kTokens; ++t) {
      for (int i = 0; i < kDim; ++i) {
        keys.k(t)[i] = zero ? 0.0f : keys.k(t)[0] + (i < 3) * keys.k(t)[1];
      }
    }
    keys.Run();
    const std::vector<double> P = keys.P();
    ExpectPositiveDefinite(kDim, P);
    for (int i = 0; i < kDim; ++i) EXPECT_LE(P[i * kDim + i], 1.001 * kLargest);
  }
}

}  // namespace
}  // namespace fastweights
