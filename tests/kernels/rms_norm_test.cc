// SPDX-License-Identifier: MIT
#include "kernels/rms_norm.h"

#include "kernel_test.h"
#include "kernels/activations.h"

namespace fastweights {
namespace {

constexpr float kEpsilon = 1e-3f;  // large enough to be seen

double MeanSquare(std::span<const float> x) {
  double sum = 0.0;
  for (const float v : x) sum += double{v} * v;
  return sum / static_cast<double>(x.size());
}

struct Problem {
  Problem(int rows, int dim, size_t offset = 0)
      : rows(rows),
        dim(dim),
        x(Random(dim).Normals(static_cast<size_t>(rows) * dim), offset),
        weight(Random(dim + 1).Normals(dim), offset),
        gate(Random(dim + 2).Normals(x.size(), 3.0), offset),
        out(x.size(), offset) {}

  std::span<const float> Row(int row) const {
    return x.values().subspan(static_cast<size_t>(row) * dim, dim);
  }
  std::vector<double> Normalised() const {
    std::vector<double> all;
    for (int r = 0; r < rows; ++r) {
      const double scale =
          1.0 / std::sqrt(MeanSquare(Row(r)) + double{kEpsilon});
      for (int i = 0; i < dim; ++i) {
        all.push_back(Row(r)[i] * scale * weight.values()[i]);
      }
    }
    return all;
  }
  std::vector<double> Gated() const {
    std::vector<double> all = Normalised();
    for (size_t i = 0; i < all.size(); ++i) {
      const double g = gate.values()[i];
      all[i] *= g / (1.0 + std::exp(-g));
    }
    return all;
  }

  int rows, dim;
  Poisoned x, weight, gate, out;
};

TEST(RmsNorm, DividesByTheRootMeanSquare) {
  for (const int dim : {1, 3, 4, 6, 12, 64, 100, 1024}) {
    for (const size_t offset : {0, 1}) {
      Problem p(3, dim, offset);
      RmsNorm(3, dim, p.x.data(), dim, p.weight.data(), kEpsilon, p.out.data(),
              dim);
      EXPECT_TRUE(Near(p.out.values(), p.Normalised(), 1e-6)) << dim;
      EXPECT_TRUE(p.out.intact());
    }
  }
}

TEST(RmsNorm, WithoutAWeightItIsOnes) {
  for (const int dim : {3, 12}) {
    Problem p(3, dim), ones(3, dim);
    std::fill_n(ones.weight.data(), dim, 1.0f);
    RmsNorm(3, dim, p.x.data(), dim, ones.weight.data(), kEpsilon,
            ones.out.data(), dim);
    RmsNorm(3, dim, p.x.data(), dim, nullptr, kEpsilon, p.out.data(), dim);
    EXPECT_TRUE(Same(p.out.values(), ones.out.values())) << dim;
    EXPECT_TRUE(p.out.intact());
  }
}

TEST(RmsNorm, OutputMayBeTheInput) {
  Problem p(3, 12);
  const std::vector<double> expected = p.Normalised();
  RmsNorm(3, 12, p.x.data(), 12, p.weight.data(), kEpsilon, p.x.data(), 12);
  EXPECT_TRUE(Near(p.x.values(), expected, 1e-6));
  EXPECT_TRUE(p.x.intact());
}

TEST(RmsNorm, StridesLeaveWhatIsBetweenRowsAlone) {
  constexpr int kDim = 12, kIn = 17, kOut = 15;
  Problem p(3, kDim);
  Poisoned x(3 * kIn), out(3 * kOut);
  for (int r = 0; r < 3; ++r) {
    std::copy_n(p.Row(r).data(), kDim, x.data() + r * kIn);
  }
  RmsNorm(3, kDim, x.data(), kIn, p.weight.data(), kEpsilon, out.data(), kOut);
  const std::vector<double> expected = p.Normalised();
  for (int i = 0; i < 3 * kOut; ++i) {
    const float got = out.values()[i];
    if (i % kOut >= kDim) {
      EXPECT_TRUE(std::isnan(got)) << i;
    } else {
      EXPECT_NEAR(got, expected[i / kOut * kDim + i % kOut], 1e-5) << i;
    }
  }
}

TEST(RmsNorm, RowOfZerosStaysZero) {
  Problem p(1, 8);
  std::fill_n(p.x.data(), 8, 0.0f);
  RmsNorm(1, 8, p.x.data(), 8, p.weight.data(), 1e-6f, p.out.data(), 8);
  for (const float y : p.out.values()) EXPECT_EQ(y, 0.0f);
}

TEST(AddRmsNorm, AddsThenNormalises) {
  for (const int dim : {4, 100}) {
    for (const size_t offset : {0, 1}) {
      Problem p(3, dim, offset);
      Poisoned residual = p.gate, out = p.x;
      AddRmsNorm(3, dim, 0.5f, residual.data(), p.weight.data(), kEpsilon,
                 out.data());
      for (size_t i = 0; i < p.x.size(); ++i) {
        p.x.data()[i] = p.gate.data()[i] + 0.5f * p.x.data()[i];
      }
      EXPECT_TRUE(Same(residual.values(), p.x.values())) << dim;
      EXPECT_TRUE(Near(out.values(), p.Normalised(), 1e-6)) << dim;
      EXPECT_TRUE(residual.intact() && out.intact());
    }
  }
}

TEST(RmsNormGated, MultipliesTheNormBySilu) {
  for (const int dim : {4, 24, 128}) {
    for (const size_t offset : {0, 1}) {
      Problem p(5, dim, offset);
      const std::vector<double> expected = p.Gated();
      RmsNormGated(5, dim, p.x.data(), dim, p.weight.data(), kEpsilon,
                   p.gate.data(), dim);
      EXPECT_TRUE(Near(p.gate.values(), expected, 1e-6)) << dim;
      EXPECT_TRUE(p.gate.intact());
    }
  }
}

TEST(RmsNormGated, StridesLeaveWhatIsBetweenRowsAlone) {
  constexpr int kDim = 12, kIn = 17, kGate = 15;
  Problem p(3, kDim);
  Poisoned x(3 * kIn), gate(3 * kGate);
  for (int r = 0; r < 3; ++r) {
    std::copy_n(p.Row(r).data(), kDim, x.data() + r * kIn);
    std::copy_n(p.gate.data() + r * kDim, kDim, gate.data() + r * kGate);
  }
  RmsNormGated(3, kDim, x.data(), kIn, p.weight.data(), kEpsilon, gate.data(),
               kGate);
  const std::vector<double> expected = p.Gated();
  for (int i = 0; i < 3 * kGate; ++i) {
    const float got = gate.values()[i];
    if (i % kGate >= kDim) {
      EXPECT_TRUE(std::isnan(got)) << i;
    } else {
      EXPECT_NEAR(got, expected[i / kGate * kDim + i % kGate], 1e-5) << i;
    }
  }
  EXPECT_TRUE(gate.intact());
}

TEST(L2Normalise, DividesByTheLengthInPlace) {
  constexpr int kDim = 20, kStride = 23;
  constexpr float kScale = 0.37f;
  Problem p(4, kDim);
  Poisoned x(4 * kStride);
  for (int r = 0; r < 4; ++r) {
    std::copy_n(p.Row(r).data(), kDim, x.data() + r * kStride);
  }
  L2Normalise(4, kDim, x.data(), kStride, kEpsilon, kScale);
  for (int r = 0; r < 4; ++r) {
    const double norm =
        std::sqrt(MeanSquare(p.Row(r)) * kDim + double{kEpsilon});
    std::vector<double> expected;
    for (const float v : p.Row(r)) expected.push_back(v / norm * kScale);
    EXPECT_TRUE(Near(x.values().subspan(r * kStride, kDim), expected, 1e-6));
    for (int i = kDim; i < kStride; ++i) {
      EXPECT_TRUE(std::isnan(x.values()[r * kStride + i]));
    }
  }
  EXPECT_TRUE(x.intact());
}

}  // namespace
}  // namespace fastweights
