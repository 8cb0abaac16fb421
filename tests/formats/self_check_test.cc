// SPDX-License-Identifier: MIT
#include "formats/self_check.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

TEST(SelfCheck, ProductsAreExactHere) { EXPECT_TRUE(ProductsAreExact()); }

}  // namespace
}  // namespace fastweights
