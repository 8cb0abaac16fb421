// SPDX-License-Identifier: MIT
#include "formats/xnnpack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace fastweights {
namespace {

constexpr float kGuard = 12345.0f;
constexpr double kLimit = 1e-6;

std::vector<float> Random(size_t size, uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> values(size);
  for (float& value : values) value = uniform(generator);
  return values;
}

// Runs `gemm` and returns its relative RMS error against a float64 product,
// having checked that nothing between and after the rows of out was written.
double Error(XnnpackGemm& gemm, int rows, int columns, int tokens, int x_gap,
             int out_gap, const std::vector<float>& weights) {
  const int x_stride = columns + x_gap;
  const int out_stride = rows + out_gap;
  std::vector<float> x = Random(static_cast<size_t>(tokens) * x_stride, 2);
  for (int t = 0; t < tokens; ++t) {
    for (int i = columns; i < x_stride; ++i) x[t * x_stride + i] = NAN;
  }
  std::vector<float> out(static_cast<size_t>(tokens) * out_stride + 16, kGuard);
  for (int t = 0; t < tokens; ++t) {
    for (int r = 0; r < rows; ++r) out[t * out_stride + r] = NAN;
  }

  gemm.Run(tokens, x.data(), x_stride, out.data(), out_stride);

  double error = 0.0;
  double norm = 0.0;
  for (size_t i = 0; i < out.size(); ++i) {
    const int t = static_cast<int>(i) / out_stride;
    const int r = static_cast<int>(i) % out_stride;
    if (t >= tokens || r >= rows) {
      EXPECT_EQ(out[i], kGuard) << "token " << t << ", row " << r;
      continue;
    }
    double expected = 0.0;
    for (int c = 0; c < columns; ++c) {
      expected += static_cast<double>(weights[r * columns + c]) *
                  x[static_cast<size_t>(t) * x_stride + c];
    }
    error += (out[i] - expected) * (out[i] - expected);
    norm += expected * expected;
  }
  return std::sqrt(error / norm);
}

TEST(XnnpackGemm, IsTheProduct) {
  for (const int rows : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 64, 70}) {
    for (const int columns : {4, 5, 7, 16, 33, 64, 127, 300}) {
      const std::vector<float> weights =
          Random(static_cast<size_t>(rows) * columns, 1);
      auto gemm = XnnpackGemm::Create(rows, columns, weights.data());
      ASSERT_NE(gemm, nullptr);
      for (const int tokens : {1, 3, 5, 64}) {
        // Written so that NaN fails.
        EXPECT_TRUE(Error(*gemm, rows, columns, tokens, 0, 0, weights) <=
                    kLimit)
            << rows << " x " << columns << ", " << tokens << " tokens";
      }
    }
  }
}

TEST(XnnpackGemm, TakesOtherStridesAtEveryCall) {
  constexpr int kRows = 13;
  constexpr int kColumns = 37;
  const std::vector<float> weights = Random(kRows * kColumns, 1);
  auto gemm = XnnpackGemm::Create(kRows, kColumns, weights.data());
  ASSERT_NE(gemm, nullptr);
  for (const int gap : {0, 1, 3, 16, 2}) {
    for (const int tokens : {1, 3, 5, 64}) {
      EXPECT_TRUE(Error(*gemm, kRows, kColumns, tokens, gap, 19 - gap,
                        weights) <= kLimit)
          << "gap " << gap << ", " << tokens << " tokens";
    }
  }
}

TEST(XnnpackGemm, KeepsItsOwnCopyOfTheWeights) {
  const std::vector<float> weights = Random(70 * 64, 1);
  std::vector<float> given = weights;
  auto gemm = XnnpackGemm::Create(70, 64, given.data());
  ASSERT_NE(gemm, nullptr);
  given.assign(given.size(), NAN);
  EXPECT_TRUE(Error(*gemm, 70, 64, 3, 0, 0, weights) <= kLimit);
}

TEST(XnnpackGemm, HoldsLittleMoreThanTheWeights) {
  const std::vector<float> weights = Random(512 * 256, 1);
  auto gemm = XnnpackGemm::Create(512, 256, weights.data());
  ASSERT_NE(gemm, nullptr);
  EXPECT_GE(gemm->bytes(), sizeof(float) * weights.size());
  EXPECT_LE(gemm->bytes(), 1.01 * sizeof(float) * weights.size());
}

TEST(XnnpackGemm, OfNoTokensWritesNothing) {
  const float weights[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  auto gemm = XnnpackGemm::Create(1, 4, weights);
  ASSERT_NE(gemm, nullptr);
  float out = kGuard;
  gemm->Run(0, weights, 4, &out, 1);
  EXPECT_EQ(out, kGuard);
}

}  // namespace
}  // namespace fastweights
