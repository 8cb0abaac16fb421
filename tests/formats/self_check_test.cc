// SPDX-License-Identifier: MIT
#include "formats/self_check.h"

#include "formats/format.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

// That each wrong instruction shows is tests/api/wrong-engines.test.js's.
TEST(SelfCheck, ProductsAreExactHere) {
#define FORMAT(name)                            \
  const int k##name[] = {k##name##Format.type}; \
  EXPECT_TRUE(ProductsAreExact(k##name, MatrixForm::kStored)) << #name;
#include "formats/formats.inc"
#undef FORMAT
  EXPECT_TRUE(ProductsAreExact({}, MatrixForm::kQc8));
}

TEST(SelfCheck, TypesThatNothingImplementsHaveNoProducts) {
  const int types[] = {-1, 1 << 30};
  EXPECT_TRUE(ProductsAreExact(types, MatrixForm::kStored));
}

}  // namespace
}  // namespace fastweights
