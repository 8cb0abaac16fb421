// SPDX-License-Identifier: MIT
#include "kernels/hopfield/hopfield.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

constexpr Separation kSeparations[] = {Separation::kLinear, Separation::kSign,
                                       Separation::kSoftmax};

TEST(Separate, EqualsTheDefinition) {
  for (const Separation separation : kSeparations) {
    for (const int dim : {4, 8, 60, 64, 256}) {
      SCOPED_TRACE(dim);
      const int stride = dim + 3;
      Poisoned x(Random(dim).Normals(5 * stride, 2.0), dim % 3);
      x.data()[1] = 0.0f;
      x.data()[2] = -1e-45f;
      x.data()[3] = 1e-40f;
      Poisoned fast(5 * static_cast<size_t>(dim), 1), slow = fast;
      SeparationArgs args = {.x = x.data(),
                             .x_stride = stride,
                             .beta = 1.5f,
                             .out = fast.data(),
                             .out_stride = dim};
      Separate(separation, 5, dim, args);
      args.out = slow.data();
      SeparateNaive(separation, 5, dim, args);
      EXPECT_TRUE(fast.intact());
      if (separation == Separation::kSoftmax) {
        EXPECT_TRUE(Near(fast.values(), slow.values(), 1e-6));
      } else {
        EXPECT_TRUE(Same(fast.values(), slow.values()));
      }
      args.out = x.data();
      args.out_stride = stride;
      Separate(separation, 5, dim, args);
      for (int row = 0; row < 5; ++row) {
        EXPECT_TRUE(Same(x.values().subspan(row * stride, dim),
                         fast.values().subspan(row * dim, dim)));
      }
    }
  }
}

// Patterns of -1 and 1, stored by Hebb's rule or as they are, and recalled from
// copies in which some signs are wrong.
class HopfieldRecall : public testing::Test {
 protected:
  static constexpr int kDim = 128;
  static constexpr int kPatterns = 8;

  HopfieldRecall() {
    Random random(7);
    for (float& p : patterns_) p = random.Below(2) ? 1.0f : -1.0f;
  }
  std::vector<float> Pattern(int pattern) const {
    const auto from = patterns_.begin() + pattern * kDim;
    return {from, from + kDim};
  }
  std::vector<float> Corrupted(int pattern, int wrong) const {
    std::vector<float> x = Pattern(pattern);
    Random random(pattern);
    while (wrong > 0) {
      const int i = random.Below(kDim);
      if (x[i] != Pattern(pattern)[i]) continue;
      x[i] = -x[i];
      --wrong;
    }
    return x;
  }
  std::vector<float> patterns_ = std::vector<float>(kPatterns * kDim);
};

TEST_F(HopfieldRecall, SignRecallsFromTheSumOfOuterProducts) {
  std::vector<float> state(kDim * kDim, 0.0f);
  for (int p = 0; p < kPatterns; ++p) {
    for (int i = 0; i < kDim; ++i) {
      for (int j = 0; j < kDim; ++j) {
        state[i * kDim + j] += Pattern(p)[i] * Pattern(p)[j];
      }
    }
  }
  for (int p = 0; p < kPatterns; ++p) {
    std::vector<float> x = Corrupted(p, 20);
    for (int step = 0; step < 4; ++step) {
      std::vector<float> y(kDim, 0.0f);
      for (int i = 0; i < kDim * kDim; ++i) {
        y[i % kDim] += state[i] * x[i / kDim];
      }
      Separate(Separation::kSign, 1, kDim,
               {.x = y.data(),
                .x_stride = kDim,
                .beta = 0.0f,
                .out = x.data(),
                .out_stride = kDim});
    }
    EXPECT_TRUE(Same(x, Pattern(p))) << p;
  }
}

TEST_F(HopfieldRecall, SoftmaxRecallsFromThePatternsThemselves) {
  for (int p = 0; p < kPatterns; ++p) {
    std::vector<float> x = Corrupted(p, 40);
    for (int step = 0; step < 2; ++step) {
      std::vector<float> similarities(kPatterns, 0.0f);
      for (int i = 0; i < kPatterns * kDim; ++i) {
        similarities[i / kDim] += patterns_[i] * x[i % kDim];
      }
      Separate(Separation::kSoftmax, 1, kPatterns,
               {.x = similarities.data(),
                .x_stride = kPatterns,
                .beta = 1.0f,
                .out = similarities.data(),
                .out_stride = kPatterns});
      x.assign(kDim, 0.0f);
      for (int i = 0; i < kPatterns * kDim; ++i) {
        x[i % kDim] += similarities[i / kDim] * patterns_[i];
      }
    }
    EXPECT_TRUE(Near(x, Pattern(p), 1e-6)) << p;
  }
}

}  // namespace
}  // namespace fastweights
