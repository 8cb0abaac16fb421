// SPDX-License-Identifier: MIT
#include "kernels/feature_maps/feature_maps.h"

#include <string>

#include "golden_case.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

constexpr int kGoldenHeads = 2;
constexpr int kGoldenDim = 16;
constexpr int kGoldenTokens = 5;

class FeatureMapForms : public testing::TestWithParam<FeatureMap> {
 protected:
  static const FeatureMapInfo& Info() {
    return FeatureMaps()[static_cast<int>(GetParam())];
  }
  static bool IsSoftmax() {
    return GetParam() == FeatureMap::kHedgehog ||
           GetParam() == FeatureMap::kDijiang;
  }
  static FeatureMapShape Shape(int dim, int nu = 3) {
    return {.map = GetParam(), .dim = dim, .nu = nu};
  }
};

TEST_P(FeatureMapForms, DefinitionGivesThePapersNumbers) {
  GoldenArrays arrays =
      ReadGoldenCase("feature_map_" + std::string(Info().name), kGoldenTokens);
  const FeatureMapShape shape = Shape(kGoldenDim);
  const int features = FeatureDim(shape);
  std::vector<float> matrix(kGoldenDim * kGoldenDim);
  DijiangMatrix(kGoldenDim, arrays["diagonal"].data(), matrix.data());
  Poisoned out(static_cast<size_t>(kGoldenTokens) * kGoldenHeads * features);
  for (int h = 0; h < kGoldenHeads; ++h) {
    const float* weight = arrays["W"].data() + h * kGoldenDim * kGoldenDim;
    ApplyFeatureMapNaive(
        kGoldenTokens, shape,
        {.x = arrays["x"].data() + h * kGoldenDim,
         .x_stride = kGoldenHeads * kGoldenDim,
         .weight = GetParam() == FeatureMap::kDijiang ? matrix.data() : weight,
         .bias = arrays["b"].data() + h * kGoldenDim,
         .out = out.data() + h * features,
         .out_stride = kGoldenHeads * features});
  }
  EXPECT_TRUE(out.intact());
  EXPECT_TRUE(Near(out.values(), arrays["features"], 2e-7));
}

// Rows with something in between, all of it NaN.
void ExpectTheDefinition(const FeatureMapShape& shape, int rows,
                         const std::vector<float>& values, size_t offset,
                         double limit) {
  const FeatureMapInfo& info = FeatureMaps()[static_cast<int>(shape.map)];
  const int features = FeatureDim(shape);
  ASSERT_EQ(features % 4, 0);
  const int x_stride = shape.dim + 3, out_stride = features + 1;
  Random random(shape.dim);
  const double deviation = 1.0 / std::sqrt(shape.dim);
  Poisoned x(static_cast<size_t>(rows) * x_stride, offset);
  for (int row = 0; row < rows; ++row) {
    std::copy_n(values.begin() + row * shape.dim, shape.dim,
                x.data() + row * x_stride);
  }
  Poisoned weight(random.Normals(shape.dim * shape.dim, deviation), offset);
  Poisoned bias(random.Normals(shape.dim, 0.1), offset);
  Poisoned fast(static_cast<size_t>(rows) * out_stride, offset);
  Poisoned slow = fast;
  FeatureMapArgs args = {.x = x.data(),
                         .x_stride = x_stride,
                         .weight = info.has_weight ? weight.data() : nullptr,
                         .bias = info.has_bias ? bias.data() : nullptr,
                         .out = fast.data(),
                         .out_stride = out_stride};
  ApplyFeatureMap(rows, shape, args);
  args.out = slow.data();
  ApplyFeatureMapNaive(rows, shape, args);
  EXPECT_TRUE(fast.intact());
  for (int row = 0; row < rows; ++row) {
    SCOPED_TRACE(row);
    EXPECT_TRUE(Near(fast.values().subspan(row * out_stride, features),
                     slow.values().subspan(row * out_stride, features), limit));
    EXPECT_TRUE(std::isnan(fast.values()[row * out_stride + features]));
  }
}

TEST_P(FeatureMapForms, EqualsTheDefinition) {
  for (const int dim : {4, 8, 12, 16, 60, 64, 128, 256}) {
    for (const int rows : {1, 5}) {
      SCOPED_TRACE(testing::Message() << dim << " dims, " << rows << " rows");
      for (const int nu : {1, 3}) {
        ExpectTheDefinition(Shape(dim, nu), rows,
                            Random(rows).Normals(rows * dim, 2.0), rows % 4,
                            IsSoftmax() ? 4e-6 : 2e-6);
      }
    }
  }
}

TEST_P(FeatureMapForms, HazardousValuesAreHarmless) {
  constexpr int kDim = 8;
  std::vector<float> values(5 * kDim, 0.0f);
  std::fill_n(values.begin() + kDim, kDim, 1e-40f);
  values[2 * kDim] = 80.0f;
  values[2 * kDim + 1] = -80.0f;
  std::fill_n(values.begin() + 3 * kDim, kDim, -1e4f);
  std::fill_n(values.begin() + 4 * kDim, kDim, 1e4f);
  values[4 * kDim + 3] = -0.0f;
  // A large sum is known only to its own precision, and its exponential to
  // that many times as much.
  if (IsSoftmax()) values.resize(3 * kDim);
  ExpectTheDefinition(Shape(kDim), static_cast<int>(values.size()) / kDim,
                      values, 1, IsSoftmax() ? 2e-5 : 2e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Maps, FeatureMapForms,
    testing::Values(FeatureMap::kIdentity, FeatureMap::kEluPlusOne,
                    FeatureMap::kRelu, FeatureMap::kSilu, FeatureMap::kHedgehog,
                    FeatureMap::kDijiang, FeatureMap::kTaylor,
                    FeatureMap::kDpfp));

TEST(FeatureMaps, TheTableIsInTheOrderOfTheEnum) {
  ASSERT_EQ(FeatureMaps().size(), 8u);
  for (size_t i = 0; i < FeatureMaps().size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(FeatureMaps()[i].map), i);
  }
}

// What the map is for: the exponential's first three terms.
TEST(FeatureMaps, TaylorFeaturesGiveTheTaylorKernel) {
  for (const int dim : {4, 16, 60}) {
    const FeatureMapShape shape = {
        .map = FeatureMap::kTaylor, .dim = dim, .nu = 0};
    const int features = FeatureDim(shape);
    const std::vector<float> qk = Random(dim).Normals(2 * dim);
    Poisoned out(2 * static_cast<size_t>(features));
    ApplyFeatureMap(2, shape,
                    {.x = qk.data(),
                     .x_stride = dim,
                     .weight = nullptr,
                     .bias = nullptr,
                     .out = out.data(),
                     .out_stride = features});
    double s = 0.0, dot = 0.0;
    for (int i = 0; i < dim; ++i) s += double{qk[i]} * qk[dim + i];
    s /= std::sqrt(dim);
    for (int i = 0; i < features; ++i) {
      dot += double{out.values()[i]} * out.values()[features + i];
    }
    EXPECT_NEAR(dot, 1.0 + s + s * s / 2.0, 1e-5 * (1.0 + s * s));
  }
}

TEST(FeatureMaps, DijiangMatrixIsOrthonormal) {
  for (const int dim : {4, 60, 128}) {
    const std::vector<float> ones(dim, 1.0f);
    std::vector<float> matrix(dim * dim);
    DijiangMatrix(dim, ones.data(), matrix.data());
    for (int a = 0; a < dim; ++a) {
      for (int b = 0; b <= a; ++b) {
        double dot = 0.0;
        for (int n = 0; n < dim; ++n) {
          dot += double{matrix[a * dim + n]} * matrix[b * dim + n];
        }
        ASSERT_NEAR(dot, a == b ? 1.0 : 0.0, 1e-6) << a << ", " << b;
      }
    }
  }
}

TEST(FeatureMaps, ElementwiseMapsMayReplaceTheirInput) {
  for (int map = 0; map < 4; ++map) {
    const FeatureMapShape shape = {
        .map = static_cast<FeatureMap>(map), .dim = 12, .nu = 0};
    std::vector<float> x = Random(6).Normals(24), out(24);
    FeatureMapArgs args = {.x = x.data(),
                           .x_stride = 12,
                           .weight = nullptr,
                           .bias = nullptr,
                           .out = out.data(),
                           .out_stride = 12};
    ApplyFeatureMap(2, shape, args);
    args.out = x.data();
    ApplyFeatureMap(2, shape, args);
    EXPECT_TRUE(Same(x, out));
  }
}

}  // namespace
}  // namespace fastweights
