// SPDX-License-Identifier: MIT

// What the formats' contract (formats_test.cc) does not ask of matrices of
// floats: shapes that no block divides, every code, and the memory they take.

#include "formats/dense_linear.h"

#include "formats/naive.h"
#include "formats/random_weights.h"
#include "kernel_test.h"
#include "odd_threads.h"

namespace fastweights {
namespace {

class DenseLinearTest : public testing::TestWithParam<const Format*> {
 protected:
  const Format& format() const { return *GetParam(); }

  std::unique_ptr<Linear> Load(int rows, int columns,
                               const std::vector<uint8_t>& bytes) const {
    auto linear = format().make_linear(format(), rows, columns);
    EXPECT_TRUE(linear->Append(rows, bytes.data()));
    return linear;
  }
};

// The product with x [tokens, columns]; scratch is exactly what is promised.
std::vector<float> Product(Linear& linear, int tokens,
                           const std::vector<float>& x) {
  Workspace workspace;
  EXPECT_TRUE(workspace.Reserve(0, linear.ThreadScratchBytes()));
  ProductInput input(tokens, linear.columns(), x.data(), workspace);
  Poisoned out(static_cast<size_t>(tokens) * linear.rows(), 1);
  linear.Multiply(input, out.data(), linear.rows());
  EXPECT_TRUE(out.intact());
  return {out.values().begin(), out.values().end()};
}

TEST_P(DenseLinearTest, IsTheProductForEveryShape) {
  // Below, at and above a tile, the four tiles of one token, a panel.
  for (const int rows : {1, 7, 8, 9, 24, 31, 33, 70, 300}) {
    for (const int columns : {1, 2, 5, 33, 301}) {
      Random random(1);
      const std::vector<uint8_t> bytes =
          RandomWeights(format(), static_cast<size_t>(rows) * columns, random);
      const std::vector<double> weights =
          DequantiseNaive(format().type, bytes.data(), rows * columns);
      const auto linear = Load(rows, columns, bytes);
      for (const int tokens : {1, 2, 3, 4, 5, 6, 7, 8, 9, 17}) {
        const std::vector<float> x = random.Normals(tokens * columns);
        std::vector<double> expected(tokens * rows, 0.0);
        for (int i = 0; i < tokens * rows; ++i) {
          for (int c = 0; c < columns; ++c) {
            expected[i] +=
                weights[i % rows * columns + c] * x[i / rows * columns + c];
          }
        }
        EXPECT_TRUE(Near(Product(*linear, tokens, x), expected, 1e-6))
            << tokens << " tokens by " << rows << " x " << columns;
      }
    }
  }
}

TEST_P(DenseLinearTest, TakesTheBytesOfTheFileInWholeTiles) {
  for (const int rows : {1, 8, 9, 512}) {
    constexpr int kColumns = 100;
    const size_t tiles = (rows + kGemmRows - 1) / kGemmRows;
    const size_t stored = tiles * kGemmRows * format().RowBytes(kColumns);
    // XNNPACK's order puts a bias before the weights of each row.
    const size_t biases =
        format().block_bytes == 4 ? tiles * kGemmRows * sizeof(float) : 0;
    EXPECT_EQ(format().make_linear(format(), rows, kColumns)->bytes(),
              stored + biases);
  }
}

// Every code of 16 bits, and the same ones as upper halves of floats.
TEST_P(DenseLinearTest, EveryCodeIsGatheredAsItIsDequantised) {
  constexpr int kRows = 64, kColumns = 1024;
  std::vector<uint8_t> bytes(kRows * format().RowBytes(kColumns));
  const int upper = format().block_bytes - 2;
  for (int code = 0; code < kRows * kColumns; ++code) {
    uint8_t* weight = bytes.data() + code * format().block_bytes + upper;
    weight[0] = static_cast<uint8_t>(code);
    weight[1] = static_cast<uint8_t>(code >> 8);
  }
  std::vector<float> expected(kRows * kColumns);
  format().dequantise(bytes.data(), kRows * kColumns, expected.data());
  const auto linear = Load(kRows, kColumns, bytes);
  for (int row = 0; row < kRows; ++row) {
    Poisoned out(kColumns);
    linear->Gather(row, out.data());
    EXPECT_TRUE(Same(out.values(),
                     std::span(expected).subspan(row * kColumns, kColumns)));
    EXPECT_TRUE(out.intact());
  }
}

// The product with rows of a unit matrix gives each weight back.
TEST_P(DenseLinearTest, EveryCodeIsMultipliedAsItIsDequantised) {
  constexpr int kColumns = 64;
  for (int first = 0; first < 0x10000; first += kColumns) {
    std::vector<uint8_t> bytes(format().RowBytes(kColumns));
    for (int c = 0; c < kColumns; ++c) {
      uint8_t* weight = bytes.data() + (c + 1) * format().block_bytes - 2;
      weight[0] = static_cast<uint8_t>(first + c);
      weight[1] = static_cast<uint8_t>((first + c) >> 8);
    }
    std::vector<float> weights(kColumns);
    format().dequantise(bytes.data(), kColumns, weights.data());
    const bool finite = std::all_of(weights.begin(), weights.end(),
                                    [](float w) { return std::isfinite(w); });
    const auto linear = Load(1, kColumns, bytes);
    for (const int tokens : {1, kColumns}) {
      std::vector<float> x(tokens * kColumns, 0.0f);
      for (int t = 0; t < tokens; ++t) x[t * kColumns + t] = 1.0f;
      const std::vector<float> out = Product(*linear, tokens, x);
      for (int t = 0; t < tokens; ++t) {
        if (finite) {
          ASSERT_EQ(out[t], weights[t]) << first + t;
        } else {
          // Infinity times zero.
          ASSERT_FALSE(std::isfinite(out[t])) << first + t;
        }
      }
    }
  }
}

// One kernel or another, one token or many: sums are added in one order.
TEST_P(DenseLinearTest, ResultOfATokenDoesNotDependOnItsBatch) {
  constexpr int kRows = 37, kColumns = 301, kTokens = 23;
  Random random(2);
  const auto linear =
      Load(kRows, kColumns, RandomWeights(format(), kRows * kColumns, random));
  const std::vector<float> x = random.Normals(kTokens * kColumns);
  const std::vector<float> whole = Product(*linear, kTokens, x);
  for (const int tokens : {1, 2, 3, 4, 5, 7, 8, 16, 17}) {
    const std::vector<float> part = Product(*linear, tokens, x);
    const auto expected = std::span(whole).first(tokens * kRows);
#ifdef __wasm__
    EXPECT_TRUE(Same(part, expected)) << tokens;
#else
    // Elsewhere a compiler may fuse in C what it does not in C++.
    EXPECT_TRUE(Near(part, expected, 1e-6)) << tokens;
#endif
  }
}

TEST_P(DenseLinearTest, ThreadsChangeNothing) {
  constexpr int kRows = 301, kColumns = 300;
  Random random(3);
  const auto linear =
      Load(kRows, kColumns, RandomWeights(format(), kRows * kColumns, random));
  for (const int tokens : {1, 33}) {
    const std::vector<float> x = random.Normals(tokens * kColumns);
    Workspace workspace(std::make_unique<OddThreads>(2));
    ASSERT_TRUE(workspace.Reserve(0, linear->ThreadScratchBytes()));
    ProductInput input(tokens, kColumns, x.data(), workspace);
    Poisoned out(static_cast<size_t>(tokens) * kRows);
    linear->Multiply(input, out.data(), kRows);
    EXPECT_TRUE(Same(out.values(), Product(*linear, tokens, x)));
  }
}

INSTANTIATE_TEST_SUITE_P(All, DenseLinearTest,
                         testing::Values(&kF32Format, &kF16Format,
                                         &kBf16Format),
                         [](const auto& info) {
                           return std::string(info.param->name);
                         });

}  // namespace
}  // namespace fastweights
