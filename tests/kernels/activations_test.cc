// SPDX-License-Identifier: MIT
#include "kernels/activations.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

constexpr size_t kCounts[] = {0, 1, 2, 3, 4, 5, 7, 8, 63, 130};

double ExactSigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// Runs f on arrays of every length and alignment, into an array of its own and
// into each of its inputs, and compares with `expected`.
template <typename F, typename Expected>
void ExpectElementwise(F f, Expected expected) {
  for (const size_t count : kCounts) {
    for (const size_t offset : {0, 1}) {
      SCOPED_TRACE(testing::Message() << count << " at " << offset);
      Poisoned a(Random(count).Normals(count, 4.0), offset);
      Poisoned b(Random(count + 1).Normals(count, 4.0), offset);
      std::vector<double> wanted;
      for (size_t i = 0; i < count; ++i) {
        wanted.push_back(expected(a.values()[i], b.values()[i]));
      }
      Poisoned out(count, offset), into_a = a, into_b = b;
      f(count, a.data(), b.data(), out.data());
      f(count, into_a.data(), b.data(), into_a.data());
      f(count, a.data(), into_b.data(), into_b.data());
      for (const Poisoned* result : {&out, &into_a, &into_b}) {
        EXPECT_TRUE(Near(result->values(), wanted, 3e-7));
        EXPECT_TRUE(result->intact());
      }
    }
  }
}

TEST(SwiGlu, MultipliesBySiluOfTheGate) {
  ExpectElementwise(SwiGlu, [](double gate, double up) {
    return gate * ExactSigmoid(gate) * up;
  });
}

TEST(SigmoidGate, MultipliesBySigmoidOfTheGate) {
  ExpectElementwise(SigmoidGate, [](double x, double gate) {
    return x * ExactSigmoid(gate);
  });
}

TEST(Multiply, IsTheDefinition) {
  ExpectElementwise(Multiply, [](double x, double y) { return x * y; });
}

TEST(AddScaled, AddsInPlace) {
  // Powers of two, so that it does not matter whether the sum is fused.
  for (const float scale : {1.0f, 0.25f}) {
    for (const size_t count : kCounts) {
      Poisoned x(Random(1).Normals(count), 1);
      const std::vector<float> y = Random(2).Normals(count);
      std::vector<float> expected;
      for (size_t i = 0; i < count; ++i) {
        expected.push_back(x.data()[i] + scale * y[i]);
      }
      AddScaled(count, scale, y.data(), x.data());
      EXPECT_TRUE(Same(x.values(), expected));
      EXPECT_TRUE(x.intact());
    }
  }
}

// f applied in place, against the definition in float64.
template <typename F, typename Definition>
void ExpectInPlace(F f, Definition definition) {
  for (const size_t count : kCounts) {
    Poisoned x(Random(3).Normals(count), 1);
    std::vector<double> expected;
    for (const float v : x.values()) expected.push_back(definition(v));
    f(count, x.data());
    EXPECT_TRUE(Near(x.values(), expected, 1e-6)) << count;
    EXPECT_TRUE(x.intact());
  }
}

TEST(Scale, IsTheDefinition) {
  ExpectInPlace([](size_t count, float* x) { Scale(count, -0.3f, x); },
                [](double x) { return double{-0.3f} * x; });
}

TEST(ReluSquared, IsTheDefinition) {
  ExpectInPlace(ReluSquared, [](double x) { return x > 0 ? x * x : 0.0; });
}

TEST(Tanh, IsTheDefinition) {
  ExpectInPlace(Tanh, [](double x) { return std::tanh(x); });
  std::vector<float> x = {-1e30f, -0.0f, 1e-6f, 1e30f};
  Tanh(x.size(), x.data());
  EXPECT_EQ(x[0], -1.0f);
  EXPECT_EQ(x[1], 0.0f);
  EXPECT_NEAR(x[2], 1e-6f, 0x1p-22);
  EXPECT_EQ(x[3], 1.0f);
}

TEST(SigmoidAll, IsTheDefinition) { ExpectInPlace(SigmoidAll, ExactSigmoid); }

TEST(SoftCap, IsTheDefinition) {
  ExpectInPlace([](size_t count, float* x) { SoftCap(count, 1.5f, x); },
                [](double x) { return 1.5 * std::tanh(x / 1.5); });
}

TEST(SwiGlu, LargeGatesDoNotOverflow) {
  const std::vector<float> gate = {-1e30f, -1e4f, -100.0f, 100.0f, 1e4f, 1e30f};
  const std::vector<float> up(gate.size(), 1.0f);
  std::vector<float> out(gate.size(), NAN);
  SwiGlu(gate.size(), gate.data(), up.data(), out.data());
  for (int i : {1, 2}) EXPECT_NEAR(out[i], 0.0f, 1e-30) << i;
  for (int i : {3, 4, 5}) EXPECT_EQ(out[i], gate[i]);
  // The sigmoid is e^-88 at least, which is nothing beside the gate.
  EXPECT_LE(std::abs(out[0] / gate[0]), 1e-37f);
}

TEST(Sigmoid, IsRightAtTheExtremes) {
  EXPECT_EQ(Sigmoid(0.0f), 0.5f);
  EXPECT_EQ(Sigmoid(1e4f), 1.0f);
  EXPECT_EQ(Sigmoid(-1e4f), 0.0f);
  EXPECT_EQ(Sigmoid(INFINITY), 1.0f);
  EXPECT_EQ(Sigmoid(-INFINITY), 0.0f);
  for (float x = -80.0f; x < 80.0f; x += 0.31f) {
    EXPECT_NEAR(Sigmoid(x) / ExactSigmoid(x), 1.0, 3e-7) << x;
  }
}

TEST(Softplus, IsRightAtTheExtremes) {
  EXPECT_EQ(Softplus(1e4f), 1e4f);
  EXPECT_EQ(Softplus(INFINITY), INFINITY);
  EXPECT_EQ(Softplus(-1e4f), 0.0f);
  EXPECT_EQ(Softplus(-INFINITY), 0.0f);
  for (float x = -80.0f; x < 80.0f; x += 0.31f) {
    EXPECT_NEAR(Softplus(x) / std::log1p(std::exp(double{x})), 1.0, 3e-7) << x;
  }
}

TEST(Softplus, OfArraysIsThatOfNumbers) {
  for (const size_t offset : {0, 1}) {
    for (float step = 0.01f; step < 1.0f; step *= 1.7f) {
      std::vector<float> x;
      for (float v = -80.0f; v < 80.0f; v += step) x.push_back(v);
      Poisoned array(x, offset);
      Softplus(x.size(), array.data());
      for (size_t i = 0; i < x.size(); ++i) {
        const double expected = std::log1p(std::exp(double{x[i]}));
        ASSERT_NEAR(array.values()[i] / expected, 1.0, 5e-7) << x[i];
      }
      EXPECT_TRUE(array.intact());
    }
  }
}

TEST(Softplus, OfLargeNumbersAndSmallOnesIsFinite) {
  std::vector<float> x = {-1e30f, -1e4f, -88.0f, 100.0f, 1e30f};
  Softplus(x.size(), x.data());
  for (int i = 0; i < 3; ++i) EXPECT_LT(x[i], 1e-37f);
  EXPECT_EQ(x[3], 100.0f);
  EXPECT_EQ(x[4], 1e30f);
}

}  // namespace
}  // namespace fastweights
