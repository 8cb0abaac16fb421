// SPDX-License-Identifier: MIT
#include "formats/product_input.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

// A quantised input that owns what it points to.
struct Quantised {
  Quantised(int tokens, int columns, const std::vector<float>& x) {
    // Not a byte more than is asked for.
    EXPECT_TRUE(
        workspace.Reserve(ProductInput::ScratchBytes(tokens, columns), 0));
    ProductInput product_input(tokens, columns, x.data(), workspace);
    input = product_input.Quantised();
    EXPECT_EQ(product_input.Quantised().codes, input.codes) << "made twice";
  }

  Workspace workspace;
  QuantisedInput input;
};

TEST(ProductInput, ScaleIsTheLargestMagnitudeOverItsCode) {
  constexpr int kTokens = 3, kColumns = 96;
  const std::vector<float> x = Random(1).Normals(kTokens * kColumns);
  const Quantised quantised(kTokens, kColumns, x);
  for (int group = 0; group < kTokens * kColumns / kInputGroup; ++group) {
    float largest = 0.0f;
    int sum = 0;
    for (int i = group * 32; i < group * 32 + 32; ++i) {
      largest = std::max(largest, std::abs(x[i]));
    }
    const float scale = quantised.input.scales[group];
    EXPECT_EQ(scale, largest / 127.0f);
    for (int i = group * 32; i < group * 32 + 32; ++i) {
      const int code = quantised.input.codes[i];
      EXPECT_LE(std::abs(code), 127);
      EXPECT_NEAR(x[i], scale * code, 0.501f * scale);
      sum += code;
    }
    EXPECT_NEAR(quantised.input.sums[group], scale * sum, 1e-6);
  }
}

TEST(ProductInput, CodesAreNearestWithTiesToEven) {
  std::vector<float> x(32, 0.0f);
  const float ties[] = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f, 3.49f};
  const int expected[] = {0, 2, 2, 0, -2, -2, 126, 3};
  std::copy(std::begin(ties), std::end(ties), x.begin());
  x[31] = -127.0f;  // makes the scale one
  const Quantised quantised(1, 32, x);
  EXPECT_EQ(quantised.input.scales[0], 1.0f);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(quantised.input.codes[i], expected[i]) << ties[i];
  }
  EXPECT_EQ(quantised.input.codes[31], -127);
  EXPECT_EQ(quantised.input.sums[0], 0 + 2 + 2 - 2 - 2 + 126 + 3 - 127.0f);
}

TEST(ProductInput, ZerosHaveScaleZero) {
  const Quantised quantised(1, 64, std::vector<float>(64, -0.0f));
  for (int group = 0; group < 2; ++group) {
    EXPECT_EQ(quantised.input.scales[group], 0.0f);
    EXPECT_EQ(quantised.input.sums[group], 0.0f);
  }
  for (int i = 0; i < 64; ++i) EXPECT_EQ(quantised.input.codes[i], 0);
}

// From the smallest magnitude that is kept to the largest float there is.
TEST(ProductInput, HugeAndTinyGroupsKeepTheirPrecision) {
  for (const float size : {1.1e-35f, 1e-30f, 1e-10f, 1e30f, 3.4e38f}) {
    std::vector<float> x = Random(2).Uniforms(32, -1.0, 1.0);
    x[5] = 1.0f;
    for (float& v : x) v *= size;
    const Quantised quantised(1, 32, x);
    EXPECT_EQ(quantised.input.codes[5], 127) << size;
    for (int i = 0; i < 32; ++i) {
      const double got =
          double{quantised.input.scales[0]} * quantised.input.codes[i];
      EXPECT_NEAR(got / size, double{x[i]} / size, 0.502 / 127) << size;
    }
  }
}

TEST(ProductInput, DenormalGroupsCountAsZero) {
  const Quantised quantised(1, 32, std::vector<float>(32, 1e-40f));
  EXPECT_EQ(quantised.input.scales[0], 0.0f);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(quantised.input.codes[i], 0);
}

TEST(ProductInput, GroupsDoNotShareAScale) {
  std::vector<float> x(64, 1.0f);
  std::fill(x.begin() + 32, x.end(), 1000.0f);
  const Quantised quantised(1, 64, x);
  EXPECT_FLOAT_EQ(quantised.input.scales[0], 1.0f / 127.0f);
  EXPECT_FLOAT_EQ(quantised.input.scales[1], 1000.0f / 127.0f);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(quantised.input.codes[i], 127);
}

}  // namespace
}  // namespace fastweights
