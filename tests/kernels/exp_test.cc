// SPDX-License-Identifier: MIT
#include "kernels/exp.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

float At(float x) {
  float lanes[4];
  Store(lanes, Exp()(Splat(x)));
  return lanes[2];
}

TEST(Exp, IsWithinTwoUnitsInTheLastPlace) {
  double worst = 0.0;
  for (double x = -87.3; x <= 87.3; x += 1.7e-4) {
    const float rounded = static_cast<float>(x);
    const double expected = std::exp(double{rounded});
    const double error = std::abs(At(rounded) / expected - 1.0);
    if (!(error <= worst)) worst = error;
  }
  // 2^-23 is one unit in the last place of 1.
  EXPECT_LE(worst, 2 * 0x1p-23);
}

TEST(Exp, ZeroGivesOneExactly) {
  EXPECT_EQ(At(0.0f), 1.0f);
  EXPECT_EQ(At(-0.0f), 1.0f);
}

TEST(Exp, OutsideTheRangeItIsClamped) {
  EXPECT_EQ(At(-1e4f), At(-87.3f));
  EXPECT_EQ(At(-INFINITY), At(-87.3f));
  EXPECT_EQ(At(1e4f), At(87.3f));
  EXPECT_EQ(At(INFINITY), At(87.3f));
  EXPECT_GE(At(-1e4f), 0x1p-126f);
  EXPECT_TRUE(std::isfinite(At(1e4f)));
}

TEST(Exp, NotANumberStaysNone) {
  EXPECT_TRUE(std::isnan(At(NAN)));
  float lanes[4];
  Store(lanes, Exp().Sigmoid(Splat(NAN)));
  EXPECT_TRUE(std::isnan(lanes[0]));
}

TEST(Exp, SigmoidOfInfinitiesIsAtItsEnds) {
  const float x[4] = {-INFINITY, INFINITY, -1e30f, 1e30f};
  float lanes[4];
  Store(lanes, Exp().Sigmoid(Load(x)));
  EXPECT_EQ(lanes[1], 1.0f);
  EXPECT_EQ(lanes[3], 1.0f);
  for (const int i : {0, 2}) {
    EXPECT_GE(lanes[i], 0x1p-126f);
    EXPECT_LT(lanes[i], 1e-37f);
  }
}

TEST(Exp, NeverDecreases) {
  float before = At(-88.0f);
  for (float x = -88.0f; x < 89.0f; x += 0.037f) {
    const float now = At(x);
    EXPECT_GE(now, before) << x;
    before = now;
  }
}

TEST(Exp, LanesAreIndependent) {
  const float x[4] = {-80.0f, -1.0f, 0.5f, 80.0f};
  float lanes[4];
  Store(lanes, Exp()(Load(x)));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(lanes[i], At(x[i]));
}

}  // namespace
}  // namespace fastweights
