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

// Tokens lie side by side, in blocks that zeros fill up.
TEST(ProductInput, ScaleIsTheLargestMagnitudeOverItsCode) {
  constexpr int kColumns = 96, kGroups = kColumns / kInputGroup;
  for (const int tokens : {1, 2, 3, 4, 6, 9}) {
    SCOPED_TRACE(tokens);
    const std::vector<float> x = Random(1).Normals(tokens * kColumns);
    const Quantised quantised(tokens, kColumns, x);
    const QuantisedInput& input = quantised.input;
    const int width = BlockWidth(tokens);
    EXPECT_EQ(input.blocks, (tokens + width - 1) / width);
    for (int t = 0; t < input.blocks * width; ++t) {
      const auto at = [&](int of_token, int i) {
        return (t / width * of_token + i) * width + t % width;
      };
      for (int g = 0; g < kGroups; ++g) {
        const auto value = [&](int i) {
          return t < tokens ? x[t * kColumns + g * kInputGroup + i] : 0.0f;
        };
        float largest = 0.0f;
        for (int i = 0; i < 32; ++i) {
          largest = std::max(largest, std::abs(value(i)));
        }
        const float scale = input.scales[at(kGroups, g)];
        EXPECT_EQ(scale, largest / 127.0f);
        int sums[2] = {};
        for (int i = 0; i < 32; ++i) {
          const int quad = at(kColumns / 4, g * 8 + i / 4);
          const int code = input.codes[4 * quad + i % 4];
          EXPECT_LE(std::abs(code), 127);
          EXPECT_NEAR(value(i), scale * code, 0.501f * scale);
          sums[i / 16] += code;
        }
        for (int half = 0; half < 2; ++half) {
          EXPECT_EQ(input.code_sums[at(2 * kGroups, 2 * g + half)], sums[half]);
        }
        EXPECT_NEAR(input.sums[at(kGroups, g)], scale * (sums[0] + sums[1]),
                    1e-6);
      }
    }
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
