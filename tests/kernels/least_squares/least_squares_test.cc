// SPDX-License-Identifier: MIT
#include "kernels/least_squares/least_squares.h"

#include "golden_case.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

constexpr float kNoLimit = INFINITY;

// P = A A^T of each head.
std::vector<double> Inverses(const LeastSquaresShape& shape,
                             std::span<const float> root, int stride) {
  const int K = shape.key_dim;
  std::vector<double> P;
  for (int h = 0; h < shape.key_heads; ++h) {
    const float* A = root.data() + h * stride;
    for (int i = 0; i < K * K; ++i) {
      double sum = 0.0;
      for (int j = 0; j < K; ++j) {
        sum += double{A[i / K * K + j]} * A[i % K * K + j];
      }
      P.push_back(sum);
    }
  }
  return P;
}

TEST(LeastSquaresGainNaive, DefinitionSolvesTheNormalEquations) {
  const LeastSquaresShape shape = {
      .key_heads = 2, .key_dim = 16, .largest = kNoLimit};
  for (const int tokens : {1, 5, 64, 200}) {
    SCOPED_TRACE(tokens);
    GoldenArrays arrays = ReadGoldenCase("least_squares", tokens);
    std::vector<float> root(2 * 256);
    LeastSquaresStart(shape, 0.5f, root.data());
    LeastSquaresStart(shape, 0.5f, root.data() + 256);
    Poisoned gain(arrays["gain"].size());
    LeastSquaresGainNaive(tokens, shape,
                          {.k = arrays["k"].data(),
                           .k_stride = 32,
                           .lambda = arrays["lam"].data(),
                           .root = root.data(),
                           .root_stride = 256,
                           .gain = gain.data(),
                           .gain_stride = 32});
    EXPECT_TRUE(gain.intact());
    EXPECT_TRUE(Near(gain.values(), arrays["gain"], 5e-7));
    EXPECT_TRUE(Near(Inverses(shape, root, 256), arrays["P_out"], 5e-7));
  }
}

// Gaps of NaN between tokens and between heads.
class Problem {
 public:
  Problem(const LeastSquaresShape& shape, int tokens, float delta,
          size_t offset = 0)
      : shape_(shape),
        tokens_(tokens),
        row_(shape.key_heads * shape.key_dim),
        root_stride_(shape.key_dim * shape.key_dim + kGap),
        random_(tokens * 257u + shape.key_dim),
        k_(static_cast<size_t>(tokens) * (row_ + kGap), offset),
        lambda_(random_.Uniforms(tokens * shape.key_heads, 0.98, 1.0), offset),
        root_(static_cast<size_t>(shape.key_heads) * root_stride_, offset),
        gain_(static_cast<size_t>(tokens) * (row_ + kGap), offset),
        scratch_(LeastSquaresScratchFloats(shape), offset) {
    for (int t = 0; t < tokens; ++t) {
      const std::vector<float> key = random_.Normals(row_);
      std::copy(key.begin(), key.end(), k(t));
    }
    for (int h = 0; h < shape.key_heads; ++h) {
      LeastSquaresStart(shape, delta, root_.data() + h * root_stride_);
    }
  }

  float* k(int t) { return k_.data() + t * (row_ + kGap); }
  Poisoned& lambda() { return lambda_; }
  std::vector<double> inverses() {
    return Inverses(shape_, root_.values(), root_stride_);
  }
  Poisoned& root() { return root_; }
  std::vector<float> gains() {
    std::vector<float> all;
    for (int t = 0; t < tokens_; ++t) {
      const float* gain = gain_.data() + t * (row_ + kGap);
      all.insert(all.end(), gain, gain + row_);
    }
    return all;
  }
  bool intact() const {
    return k_.intact() && root_.intact() && gain_.intact() && scratch_.intact();
  }

  LeastSquaresArgs Args(int from, bool forgets) {
    return {
        .k = k(from),
        .k_stride = row_ + kGap,
        .lambda = forgets ? lambda_.data() + from * shape_.key_heads : nullptr,
        .root = root_.data(),
        .root_stride = root_stride_,
        .gain = gain_.data() + from * (row_ + kGap),
        .gain_stride = row_ + kGap};
  }
  // Tokens [from, to), last head first.
  void Run(int from, int to, bool forgets = true) {
    for (int h = shape_.key_heads - 1; h >= 0; --h) {
      LeastSquaresGain(to - from, shape_, Args(from, forgets), h,
                       scratch_.data());
    }
  }
  void RunNaive(bool forgets = true) {
    LeastSquaresGainNaive(tokens_, shape_, Args(0, forgets));
  }

 private:
  static constexpr int kGap = 3;

  LeastSquaresShape shape_;
  int tokens_, row_, root_stride_;
  Random random_;
  Poisoned k_, lambda_, root_, gain_, scratch_;
};

void ExpectTheDefinition(const Problem& problem, int tokens, double limit,
                         bool forgets = true) {
  Problem fast = problem, slow = problem;
  fast.Run(0, tokens, forgets);
  slow.RunNaive(forgets);
  EXPECT_TRUE(fast.intact());
  EXPECT_TRUE(Near(fast.gains(), slow.gains(), limit));
  EXPECT_TRUE(Near(fast.inverses(), slow.inverses(), limit));
}

TEST(LeastSquaresGain, EqualsTheDefinition) {
  for (const int key_dim : {4, 12, 16, 60, 64, 128, 256}) {
    for (const int tokens : {1, 5, 63, 64, 65, 200, 1000}) {
      if (tokens > (key_dim > 64 ? 5 : key_dim > 16 ? 65 : 1000)) continue;
      SCOPED_TRACE(testing::Message() << key_dim << ", " << tokens);
      const LeastSquaresShape shape = {
          .key_heads = 2, .key_dim = key_dim, .largest = kNoLimit};
      const Problem problem(shape, tokens, 0.5f, tokens % 4);
      ExpectTheDefinition(problem, tokens, 3e-6);
      ExpectTheDefinition(problem, tokens, 3e-6, false);
    }
  }
}

constexpr LeastSquaresShape kSmall = {
    .key_heads = 3, .key_dim = 12, .largest = kNoLimit};

TEST(LeastSquaresGain, RootCarriesAcrossCalls) {
  const Problem problem(kSmall, 40, 0.1f);
  Problem whole = problem;
  whole.Run(0, 40);
  for (const int step : {1, 3, 8}) {
    Problem parts = problem;
    for (int t = 0; t < 40; t += step) parts.Run(t, std::min(t + step, 40));
    EXPECT_TRUE(Same(parts.gains(), whole.gains())) << step;
    EXPECT_EQ(parts.inverses(), whole.inverses()) << step;
  }
  Problem none = problem, before = problem;
  none.Run(0, 0);
  EXPECT_EQ(none.inverses(), before.inverses());
}

TEST(LeastSquaresGain, HazardousKeysAndLambdasAreHarmless) {
  Problem problem(kSmall, 64, 1.0f);
  const float lambdas[] = {1.0f, 0.5f, 0.999f, 0.9f, 0.05f};
  for (size_t i = 0; i < problem.lambda().size(); ++i) {
    problem.lambda().data()[i] = i % 13 == 0 ? lambdas[i % 5] : 1.0f;
  }
  for (int t = 0; t < 64; ++t) {
    if (t % 5 == 1) std::fill_n(problem.k(t), 36, 0.0f);
    if (t % 5 == 2) std::fill_n(problem.k(t), 36, 1e-40f);
    if (t % 7 == 3) std::fill_n(problem.k(t), 36, 10.0f);
  }
  ExpectTheDefinition(problem, 64, 2e-5);
}

// As the declaration has it: what a long key leaves of P along itself is a
// difference of much larger numbers.
TEST(LeastSquaresGain, LosesTheSquareOfAKeysLength) {
  for (const float length : {1.0f, 10.0f, 100.0f}) {
    SCOPED_TRACE(length);
    Problem problem(kSmall, 8, 1.0f);
    const std::vector<float> key =
        Random(4).Normals(36, length / std::sqrt(12.0));
    for (int t = 0; t < 8; ++t) std::copy(key.begin(), key.end(), problem.k(t));
    ExpectTheDefinition(problem, 8, 2e-7 * (1.0 + length * length));
  }
}

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
      .key_heads = 1, .key_dim = kDim, .largest = kNoLimit};
  const std::pair<float, float> kCases[] = {
      {1.0f, 1e-3f}, {0.999f, 1e-3f}, {0.99f, 1e-3f}, {1.0f, 1e-6f}};
  for (const auto& [lambda, delta] : kCases) {
    SCOPED_TRACE(testing::Message() << lambda << ", " << delta);
    Problem problem(shape, kTokens, delta);
    std::fill_n(problem.lambda().data(), kTokens, lambda);
    // Keys that have much in common, as those of a model do.
    for (int t = 0; t < kTokens; ++t) {
      for (int i = 0; i < kDim; ++i)
        problem.k(t)[i] = 0.3f * problem.k(t)[i] + 1;
    }
    const std::vector<float> v = Random(9).Normals(kTokens * kValueDim);
    problem.Run(0, kTokens);
    const std::vector<float> gain = problem.gains();
    std::vector<float> S(kDim * kValueDim, 0.0f);
    std::vector<double> A(kDim * kDim, 0.0), B(kDim * kValueDim, 0.0);
    for (int i = 0; i < kDim; ++i) A[i * kDim + i] = delta;
    for (int t = 0; t < kTokens; ++t) {
      const float* k = problem.k(t);
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
    EXPECT_TRUE(Near(problem.inverses(), P, 1e-3));
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
    Problem problem(shape, kTokens, 1e-2f);
    std::fill_n(problem.lambda().data(), kTokens, 0.99f);
    for (int t = 0; t < kTokens; ++t) {
      for (int i = 0; i < kDim; ++i) {
        problem.k(t)[i] =
            zero ? 0.0f : problem.k(t)[0] + (i < 3) * problem.k(t)[1];
      }
    }
    problem.Run(0, kTokens);
    const std::vector<double> P = problem.inverses();
    ExpectPositiveDefinite(kDim, P);
    for (int i = 0; i < kDim; ++i) EXPECT_LE(P[i * kDim + i], 1.001 * kLargest);
  }
}

// A P that starts above what it may grow to, and comes down with the keys.
TEST(LeastSquaresGain, ForgetsAgainOncePIsSmall) {
  LeastSquaresShape shape = kSmall;
  shape.largest = 50.0f;
  const Problem limited(shape, 60, 1e-2f);
  ExpectTheDefinition(limited, 60, 3e-6);
  shape.largest = 1e-3f;
  Problem never(shape, 60, 1e-2f), plain = never, once = limited;
  never.Run(0, 60);
  plain.Run(0, 60, false);
  once.Run(0, 60);
  EXPECT_TRUE(Same(never.gains(), plain.gains()));
  EXPECT_FALSE(Near(once.gains(), plain.gains(), 1e-2));
}

TEST(LeastSquaresGain, DoesNotDrift) {
  constexpr int kTokens = 100'000;
  const LeastSquaresShape shape = {
      .key_heads = 1, .key_dim = 8, .largest = kNoLimit};
  ExpectTheDefinition(Problem(shape, kTokens, 1e-2f), kTokens, 1e-4);
  ExpectTheDefinition(Problem(shape, kTokens, 1e-2f), kTokens, 1e-4, false);
}

}  // namespace
}  // namespace fastweights
