// SPDX-License-Identifier: MIT
#include "kernels/finite.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <vector>

namespace fastweights {
namespace {

TEST(AllFinite, FindsWhatIsNot) {
  for (const int count : {0, 1, 3, 16, 17, 100}) {
    std::vector<float> x(count, FLT_MAX);
    for (int i = 0; i < count; i += 2) x[i] = i % 3 ? -FLT_MAX : 1e-45f;
    EXPECT_TRUE(AllFinite(count, x.data()));
    for (const float wrong : {NAN, INFINITY, -INFINITY}) {
      for (int i = 0; i < count; ++i) {
        const float before = x[i];
        x[i] = wrong;
        EXPECT_FALSE(AllFinite(count, x.data())) << i << " of " << count;
        x[i] = before;
      }
    }
  }
}

}  // namespace
}  // namespace fastweights
