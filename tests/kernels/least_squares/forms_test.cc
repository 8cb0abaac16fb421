// SPDX-License-Identifier: MIT
#include "golden_case.h"
#include "kernel_test.h"
#include "kernels/least_squares/least_squares.h"

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
