// SPDX-License-Identifier: MIT
#include "formats/xnnpack.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

constexpr double kLimit = 1e-6;

// Weights [rows, columns] in tiles, as the kernel wants them.
std::vector<float> Packed(const std::vector<float>& weights, int rows,
                          int columns) {
  const int tiles = (rows + kGemmRows - 1) / kGemmRows;
  std::vector<float> packed(tiles * GemmTileFloats(columns));
  for (int i = 0; i < rows * columns; ++i) {
    const int row = i / columns, column = i % columns;
    packed[row / kGemmRows * GemmTileFloats(columns) +
           (column + 1) * kGemmRows + row % kGemmRows] = weights[i];
  }
  return packed;
}

// Relative RMS error against a float64 product, where rows of x and out have
// gaps between them. What is in those of x is NaN.
double Error(int rows, int columns, int tokens, int x_gap, int out_gap) {
  Random random(1);
  const std::vector<float> weights =
      random.Uniforms(static_cast<size_t>(rows) * columns, -1.0, 1.0);
  const int x_stride = columns + x_gap, out_stride = rows + out_gap;
  std::vector<float> x =
      random.Uniforms(static_cast<size_t>(tokens) * x_stride, -1.0, 1.0);
  std::vector<double> expected;
  for (int t = 0; t < tokens; ++t) {
    std::fill_n(x.begin() + t * x_stride + columns, x_gap, NAN);
    for (int r = 0; r < rows; ++r) {
      double sum = 0.0;
      for (int c = 0; c < columns; ++c) {
        sum += double{weights[r * columns + c]} * x[t * x_stride + c];
      }
      expected.push_back(sum);
    }
  }
  Poisoned out(static_cast<size_t>(tokens) * out_stride);
  Gemm(tokens, rows, columns, x.data(), x_stride,
       Packed(weights, rows, columns).data(), out.data(), out_stride);
  EXPECT_TRUE(out.intact());
  std::vector<float> actual;
  for (int i = 0; i < tokens * out_stride; ++i) {
    if (i % out_stride < rows) {
      actual.push_back(out.values()[i]);
    } else {
      EXPECT_TRUE(std::isnan(out.values()[i])) << "written between rows";
    }
  }
  return RelativeRms(actual, expected);
}

TEST(Gemm, IsTheProduct) {
  for (const int rows : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 64, 70}) {
    for (const int columns : {4, 5, 7, 16, 33, 64, 127, 300}) {
      for (const int tokens : {1, 3, 5, 64}) {
        // Written so that NaN fails.
        EXPECT_TRUE(Error(rows, columns, tokens, 0, 0) <= kLimit)
            << rows << " x " << columns << ", " << tokens << " tokens";
      }
    }
  }
}

TEST(Gemm, TakesAnyStrides) {
  for (const int gap : {1, 3, 16}) {
    for (const int tokens : {1, 3, 5, 64}) {
      EXPECT_TRUE(Error(13, 37, tokens, gap, 19 - gap) <= kLimit)
          << "gap " << gap << ", " << tokens << " tokens";
    }
  }
}

TEST(Gemm, OfNoTokensWritesNothing) { EXPECT_EQ(Error(1, 4, 0, 0, 0), 0.0); }

}  // namespace
}  // namespace fastweights
