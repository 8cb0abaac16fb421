// SPDX-License-Identifier: MIT
#include "kernels/rope.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

// x [heads, dim] at `position` turned as the header states it, in float64.
std::vector<double> Direct(std::span<const float> x, int dim, int rotary_dim,
                           RopePairs order, int position, double base) {
  std::vector<double> out(x.begin(), x.end());
  const int pairs = rotary_dim / 2;
  for (size_t head = 0; head < x.size(); head += dim) {
    for (int i = 0; i < pairs; ++i) {
      const double angle = position * std::pow(base, -2.0 * i / rotary_dim);
      const bool halves = order == RopePairs::kHalves;
      const size_t first = head + (halves ? i : 2 * i);
      const size_t second = first + (halves ? pairs : 1);
      const double a = x[first], b = x[second];
      out[first] = a * std::cos(angle) - b * std::sin(angle);
      out[second] = a * std::sin(angle) + b * std::cos(angle);
    }
  }
  return out;
}

// Turns x [tokens, heads, dim] in place.
void Turn(Poisoned& x, int tokens, int heads, int dim, int rotary_dim,
          int position, float base, int stride,
          RopePairs order = RopePairs::kHalves) {
  Poisoned cos(static_cast<size_t>(tokens) * rotary_dim / 2);
  Poisoned sin(cos.size());
  RopeAngles(tokens, position, rotary_dim, base, cos.data(), sin.data());
  EXPECT_TRUE(cos.intact() && sin.intact());
  const int pairs = rotary_dim / 2;
  for (int t = 0; t < tokens; ++t) {
    Rope(heads, rotary_dim, order, cos.data() + t * pairs,
         sin.data() + t * pairs, x.data() + t * stride, dim);
  }
}

TEST(Rope, EqualsTheDefinitionAtEveryPosition) {
  for (const int position : {0, 1, 63, 4095, 100'000, 1'000'000}) {
    for (const auto& [dim, rotary_dim] :
         {std::pair(4, 2), std::pair(16, 16), std::pair(20, 14),
          std::pair(256, 64)}) {
      for (const auto& [base, order] :
           {std::pair(1e4f, RopePairs::kHalves),
            std::pair(1e7f, RopePairs::kHalves),
            std::pair(1e4f, RopePairs::kNeighbours)}) {
        constexpr int kTokens = 3, kHeads = 2;
        const int stride = kHeads * dim + 3;
        Poisoned x(Random(dim).Normals(static_cast<size_t>(kTokens) * stride),
                   1);
        const std::vector<float> before(x.values().begin(), x.values().end());
        Turn(x, kTokens, kHeads, dim, rotary_dim, position, base, stride,
             order);
        for (int t = 0; t < kTokens; ++t) {
          const auto token = std::span(before).subspan(t * stride, stride);
          const auto turned = x.values().subspan(t * stride, stride);
          EXPECT_TRUE(Near(turned.first(kHeads * dim),
                           Direct(token.first(kHeads * dim), dim, rotary_dim,
                                  order, position + t, base),
                           2e-7))
              << "position " << position + t << ", dim " << dim;
          EXPECT_TRUE(Same(turned.last(3), token.last(3)));
        }
        EXPECT_TRUE(x.intact());
      }
    }
  }
}

TEST(Rope, DimsFromRotaryDimOnStay) {
  Poisoned x(Random(1).Normals(16), 0);
  const std::vector<float> before(x.values().begin(), x.values().end());
  Turn(x, 1, 1, 16, 4, 77, 1e4f, 16);
  EXPECT_TRUE(Same(x.values().last(12), std::span(before).last(12)));
  EXPECT_FALSE(Same(x.values().first(4), std::span(before).first(4)));
}

TEST(Rope, HeadsMayLieApart) {
  constexpr int kDim = 12, kStride = 19;
  Poisoned dense(Random(5).Normals(2 * kDim), 0), apart(kStride + kDim);
  for (int h = 0; h < 2; ++h) {
    std::copy_n(dense.data() + h * kDim, kDim, apart.data() + h * kStride);
  }
  const float cos[] = {0.6f, 0.8f, 0.0f, 1.0f, 0.28f};
  const float sin[] = {0.8f, -0.6f, 1.0f, 0.0f, 0.96f};
  Rope(2, 10, RopePairs::kHalves, cos, sin, dense.data(), kDim);
  Rope(2, 10, RopePairs::kHalves, cos, sin, apart.data(), kStride);
  EXPECT_TRUE(Same(apart.values().first(kDim), dense.values().first(kDim)));
  EXPECT_TRUE(Same(apart.values().last(kDim), dense.values().last(kDim)));
  for (int i = kDim; i < kStride; ++i) {
    EXPECT_TRUE(std::isnan(apart.values()[i]));
  }
  EXPECT_TRUE(apart.intact());
}

TEST(Rope, LengthStays) {
  for (const int position : {5, 123'456}) {
    Poisoned x(Random(2).Normals(64), 0);
    double before = 0.0, after = 0.0;
    for (const float v : x.values()) before += double{v} * v;
    Turn(x, 1, 1, 64, 64, position, 1e6f, 64);
    for (const float v : x.values()) after += double{v} * v;
    EXPECT_NEAR(after / before, 1.0, 1e-6);
  }
}

// The dot product of two turned vectors depends on their distance alone.
TEST(Rope, ScoresDependOnTheDistanceAlone) {
  const std::vector<float> q = Random(3).Normals(64);
  const std::vector<float> k = Random(4).Normals(64);
  const auto score = [&](int at, int distance) {
    Poisoned turned_q(q, 0), turned_k(k, 0);
    Turn(turned_q, 1, 1, 64, 64, at + distance, 1e4f, 64);
    Turn(turned_k, 1, 1, 64, 64, at, 1e4f, 64);
    double dot = 0.0;
    for (int i = 0; i < 64; ++i) {
      dot += double{turned_q.values()[i]} * turned_k.values()[i];
    }
    return dot;
  };
  for (const int distance : {0, 1, 100}) {
    EXPECT_NEAR(score(900'000, distance), score(7, distance), 1e-5);
  }
  EXPECT_GT(std::abs(score(7, 1) - score(7, 100)), 0.1);
}

}  // namespace
}  // namespace fastweights
