// SPDX-License-Identifier: MIT
#include "kernels/token_shift.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

TEST(TokenShift, MixesEachTokenWithTheOneBefore) {
  for (const int rows : {1, 2, 5}) {
    for (const int dim : {4, 12, 64}) {
      const std::vector<float> x = Random(1).Normals(rows * dim);
      const std::vector<float> before = Random(2).Normals(dim);
      const std::vector<float> mix = Random(3).Uniforms(dim, 0, 1);
      const std::vector<float> extra = Random(4).Normals(rows * dim);
      for (const bool has_extra : {false, true}) {
        std::vector<double> expected;
        for (int i = 0; i < rows * dim; ++i) {
          const double last = i < dim ? before[i] : x[i - dim];
          const double weight =
              mix[i % dim] + (has_extra ? double{extra[i]} : 0.0);
          expected.push_back(x[i] + (last - x[i]) * weight);
        }
        Poisoned out(rows * dim, 1), in_place(extra, 1);
        TokenShift(rows, dim, before.data(), x.data(), mix.data(),
                   has_extra ? extra.data() : nullptr, out.data());
        EXPECT_TRUE(Near(out.values(), expected, 2e-7));
        EXPECT_TRUE(out.intact());
        if (!has_extra) continue;
        TokenShift(rows, dim, before.data(), x.data(), mix.data(),
                   in_place.data(), in_place.data());
        EXPECT_TRUE(Same(in_place.values(), out.values()));
        EXPECT_TRUE(in_place.intact());
      }
    }
  }
}

}  // namespace
}  // namespace fastweights
