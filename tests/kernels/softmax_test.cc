// SPDX-License-Identifier: MIT
#include "kernels/softmax.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

std::vector<double> Definition(std::span<const float> x, double scale) {
  const double largest = *std::max_element(x.begin(), x.end());
  double sum = 0.0;
  std::vector<double> y;
  for (const float e : x) sum += std::exp(scale * (e - largest));
  for (const float e : x) y.push_back(std::exp(scale * (e - largest)) / sum);
  return y;
}

TEST(Softmax, EqualsTheDefinitionInPlaceToo) {
  for (const int dim : {4, 8, 60, 64, 256}) {
    for (const float scale : {0.0f, 0.125f, 1.0f, 8.0f}) {
      Poisoned x(Random(dim).Normals(dim, 3.0), 1), out(dim, 3);
      const std::vector<double> expected = Definition(x.values(), scale);
      Softmax(dim, scale, x.data(), out.data());
      EXPECT_TRUE(Near(out.values(), expected, 1e-6)) << dim << " " << scale;
      EXPECT_TRUE(out.intact());
      Softmax(dim, scale, x.data(), x.data());
      EXPECT_TRUE(Same(x.values(), out.values()));
    }
  }
}

TEST(Softmax, LargeAndEqualValuesDoNotOverflow) {
  const std::vector<float> x = {3e38f, 3e38f, -3e38f, 0.0f};
  std::vector<float> out(4);
  Softmax(4, 1.0f, x.data(), out.data());
  EXPECT_TRUE(Near(out, std::vector<float>{0.5f, 0.5f, 0.0f, 0.0f}, 1e-7));
}

}  // namespace
}  // namespace fastweights
