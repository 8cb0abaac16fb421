// SPDX-License-Identifier: MIT
#include "formats/product_input.h"

#include <cstdlib>

#include "kernel_test.h"

namespace fastweights {
namespace {

// A quantised input that owns what it points to.
struct Quantised {
  Quantised(int tokens, int columns, const std::vector<float>& x,
            int group = kInputGroup) {
    // Not a byte more than is asked for.
    EXPECT_TRUE(
        workspace.Reserve(ProductInput::ScratchBytes(tokens, columns), 0));
    ProductInput product_input(tokens, columns, x.data(), workspace);
    input = product_input.Quantised(group);
    EXPECT_EQ(product_input.Quantised(group).codes, input.codes);
  }

  Workspace workspace;
  QuantisedInput input;
};

// Tokens lie side by side, in blocks that zeros fill up.
void ExpectScalesOfLargest(int columns, int group) {
  const int groups = columns / group;
  for (const int tokens : {1, 2, 3, 4, 6, 9}) {
    SCOPED_TRACE(tokens);
    const std::vector<float> x = Random(1).Normals(tokens * columns);
    const Quantised quantised(tokens, columns, x, group);
    const QuantisedInput& input = quantised.input;
    const int width = BlockWidth(tokens);
    EXPECT_EQ(input.group, group);
    EXPECT_EQ(input.blocks, (tokens + width - 1) / width);
    for (int t = 0; t < input.blocks * width; ++t) {
      const auto at = [&](int of_token, int i) {
        return (t / width * of_token + i) * width + t % width;
      };
      for (int g = 0; g < groups; ++g) {
        const auto value = [&](int i) {
          return t < tokens ? x[t * columns + g * group + i] : 0.0f;
        };
        float largest = 0.0f;
        for (int i = 0; i < group; ++i) {
          largest = std::max(largest, std::abs(value(i)));
        }
        const float scale = input.scales[at(groups, g)];
        EXPECT_EQ(scale, largest / 127.0f);
        std::vector<int> sums(group / 8);  // two of each 16 columns
        for (int i = 0; i < group; ++i) {
          const int quad = at(columns / 4, (g * group + i) / 4);
          const int code = input.codes[4 * quad + i % 4];
          EXPECT_LE(std::abs(code), 127);
          EXPECT_NEAR(value(i), scale * code, 0.501f * scale);
          sums[i / 16 * 2 + i % 4 / 2] += code;
        }
        for (int i = 0; i < group / 16; ++i) {
          const PairSums found =
              input.sums[at(columns / 16, g * group / 16 + i)];
          EXPECT_EQ(found.first, sums[2 * i]);
          EXPECT_EQ(found.second, sums[2 * i + 1]);
        }
      }
    }
  }
}

TEST(ProductInput, ScaleIsTheLargestMagnitudeOverItsCode) {
  ExpectScalesOfLargest(96, 32);
  ExpectScalesOfLargest(512, 256);
}

// As it is in turns where matrices of both kinds share it, and with fewer
// tokens: in the scratch of one, to the same codes.
void ExpectSameInTurns(int columns, bool two_bytes) {
  const std::vector<float> x = Random(3).Normals(6 * columns);
  Workspace workspace;
  ASSERT_TRUE(workspace.Reserve(ProductInput::ScratchBytes(6, columns), 0));
  ProductInput input(6, columns, x.data(), workspace);
  for (const int tokens : {6, 5}) {
    const auto first = x.begin() + (6 - tokens) * columns;
    input.Replace(tokens, &*first);
    for (const int group : {32, 256, 32, 256}) {
      const Quantised alone(tokens, columns, {first, x.end()}, group);
      const QuantisedInput& found = input.Quantised(group);
      const int count = found.blocks * kTokenBlock * columns;
      for (int i = 0; i < count; ++i) {
        ASSERT_EQ(found.codes[i], alone.input.codes[i]) << group;
      }
      // Either form takes the other's place.
      for (int turn = 0; turn < 2 && two_bytes; ++turn) {
        const int16_t* wide = input.Widened(group);
        for (int i = 0; i < count; ++i) {
          ASSERT_EQ(wide[i], found.codes[i]) << group;
        }
        const int8_t* halved = input.Halved(group);
        for (int i = 0; i < count; ++i) {
          const int at = i / 4 * 8 + i % 4;
          ASSERT_EQ(16 * halved[at + 4] + halved[at], found.codes[i]) << group;
          ASSERT_LE(std::abs(halved[at]), 8);
          ASSERT_LE(std::abs(halved[at + 4]), 8);
        }
      }
      for (int i = 0; i < count / group; ++i) {
        ASSERT_EQ(found.scales[i], alone.input.scales[i]) << group;
      }
    }
  }
}

TEST(ProductInput, GroupsOfBothWidthsShareTheScratch) {
  ExpectSameInTurns(512, false);
}

TEST(ProductInput, WidenedAndHalvedCodesAreThoseOfTheGroup) {
  if (!ProductInput::HasTwoByteForms()) GTEST_SKIP() << "this engine has none";
  ExpectSameInTurns(512, true);
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
  EXPECT_EQ(quantised.input.sums[0].first, 0 + 2 - 2 - 2);
  EXPECT_EQ(quantised.input.sums[0].second, 2 + 0 + 126 + 3);
}

TEST(ProductInput, ZerosHaveScaleZero) {
  const Quantised quantised(1, 64, std::vector<float>(64, -0.0f));
  for (int group = 0; group < 2; ++group) {
    EXPECT_EQ(quantised.input.scales[group], 0.0f);
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

// One value that is no number takes those with it that share its scale, and no
// others.
TEST(ProductInput, WhatIsNoNumberTakesItsGroup) {
  for (const int group : {32, 256}) {
    for (const float bad : {NAN, INFINITY, -INFINITY}) {
      std::vector<float> x(3 * group, 1.0f);
      x[2 * group - 1] = bad;
      const Quantised quantised(1, 3 * group, x, group);
      EXPECT_EQ(quantised.input.scales[0], 1.0f / 127.0f);
      EXPECT_TRUE(std::isnan(quantised.input.scales[1])) << bad;
      EXPECT_EQ(quantised.input.scales[2], 1.0f / 127.0f);
    }
  }
}

}  // namespace
}  // namespace fastweights
