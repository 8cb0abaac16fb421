// SPDX-License-Identifier: MIT
#include "kernels/layer_norm.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

constexpr float kEpsilon = 1e-5f;

// The definition, in float64.
std::vector<double> Direct(std::span<const float> x, int dim,
                           const std::vector<float>& weight,
                           const std::vector<float>* bias) {
  std::vector<double> out;
  for (size_t row = 0; row < x.size(); row += dim) {
    double mean = 0, variance = 0;
    for (int i = 0; i < dim; ++i) mean += double{x[row + i]} / dim;
    for (int i = 0; i < dim; ++i) {
      variance += (x[row + i] - mean) * (x[row + i] - mean) / dim;
    }
    for (int i = 0; i < dim; ++i) {
      const double v = (x[row + i] - mean) / std::sqrt(variance + kEpsilon);
      out.push_back(v * weight[i] + (bias == nullptr ? 0.0 : (*bias)[i]));
    }
  }
  return out;
}

TEST(LayerNorm, IsTheDefinition) {
  constexpr int kRows = 3;
  for (const int dim : {4, 64, 100}) {
    std::vector<float> x = Random(dim).Normals(kRows * dim);
    // A mean far from zero, beside which the variance is small.
    for (float& v : x) v += 30.0f;
    const std::vector<float> weight = Random(1).Uniforms(dim, 0.5, 1.5);
    const std::vector<float> bias = Random(2).Normals(dim);
    for (const std::vector<float>* given :
         {static_cast<const std::vector<float>*>(nullptr), &bias}) {
      Poisoned out(x.size(), 1);
      LayerNorm(kRows, dim, x.data(), dim, weight.data(),
                given == nullptr ? nullptr : given->data(), kEpsilon,
                out.data(), dim);
      EXPECT_TRUE(Near(out.values(), Direct(x, dim, weight, given), 1e-5));
      EXPECT_TRUE(out.intact());
      // In place.
      Poisoned same(x, 1);
      LayerNorm(kRows, dim, same.data(), dim, weight.data(),
                given == nullptr ? nullptr : given->data(), kEpsilon,
                same.data(), dim);
      EXPECT_TRUE(Same(same.values(), out.values()));
    }
  }
}

}  // namespace
}  // namespace fastweights
