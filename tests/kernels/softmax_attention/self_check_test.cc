// SPDX-License-Identifier: MIT
#include "kernels/softmax_attention/self_check.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

// That each wrong instruction shows is tests/api/wrong-engines.test.js's.
TEST(AttentionSelfCheck, Int8AttentionIsExactHere) {
  EXPECT_TRUE(Int8AttentionIsExact());
}

}  // namespace
}  // namespace fastweights
