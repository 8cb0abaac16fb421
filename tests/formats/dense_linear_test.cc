// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"

#include "formats/random_weights.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

// Rows of 8 KB: 512 of them fill a panel of 4 MB.
constexpr int kColumns = 2048;

// The product of two tokens with `rows` rows that arrive in pieces of `step`.
std::vector<float> Product(int rows, int step, std::vector<double>* expected) {
  Random random(1);
  const std::vector<uint8_t> bytes =
      RandomWeights(kF32Format, static_cast<size_t>(rows) * kColumns, random);
  const std::vector<float> x = random.Normals(2 * kColumns);
  DenseLinear linear(kF32Format, rows, kColumns);
  for (int row = 0; row < rows; row += step) {
    EXPECT_TRUE(linear.Append(std::min(step, rows - row),
                              bytes.data() + kF32Format.RowBytes(kColumns) *
                                                 static_cast<size_t>(row)));
  }
  EXPECT_GE(linear.bytes(), bytes.size());
  EXPECT_LE(linear.bytes(), bytes.size() * 1.05 + 16 * 4 * kColumns);

  Workspace workspace;
  EXPECT_TRUE(workspace.Reserve(0, linear.ThreadScratchBytes()));
  ProductInput input(2, kColumns, x.data(), workspace);
  Poisoned out(2 * static_cast<size_t>(rows));
  linear.Multiply(input, out.data(), rows);
  EXPECT_TRUE(out.intact());

  if (expected != nullptr) {
    const float* weights = reinterpret_cast<const float*>(bytes.data());
    for (int i = 0; i < 2 * rows; ++i) {
      double sum = 0.0;
      for (int c = 0; c < kColumns; ++c) {
        sum += double{x[i / rows * kColumns + c]} *
               weights[i % rows * kColumns + c];
      }
      expected->push_back(sum);
    }
  }
  return {out.values().begin(), out.values().end()};
}

TEST(DenseLinear, PanelsMakeOneProduct) {
  for (const int rows : {511, 512, 513, 1100}) {
    SCOPED_TRACE(rows);
    std::vector<double> expected;
    const std::vector<float> whole = Product(rows, rows, &expected);
    EXPECT_TRUE(Near(whole, expected, 1e-6));
    EXPECT_TRUE(Same(Product(rows, 100, nullptr), whole));
  }
}

TEST(DenseLinear, CannotGather) {
  EXPECT_FALSE(DenseLinear(kF32Format, 4, 4).can_gather());
}

}  // namespace
}  // namespace fastweights
