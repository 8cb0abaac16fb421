// SPDX-License-Identifier: MIT
#include "formats/half.h"

#include <cmath>

#include "kernel_test.h"

namespace fastweights {
namespace {

TEST(HalfToFloat, EveryCodeIsExact) {
  for (int code = 0; code < 0x10000; ++code) {
    const int exponent = code >> 10 & 31, fraction = code & 1023;
    const float got = HalfToFloat(static_cast<uint16_t>(code));
    ASSERT_EQ(std::signbit(got), code >= 0x8000) << code;
    if (exponent == 31 && fraction != 0) {
      ASSERT_TRUE(std::isnan(got)) << code;
      continue;
    }
    const double expected = exponent == 31 ? INFINITY
                            : exponent == 0
                                ? std::ldexp(fraction, -24)
                                : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(std::abs(double{got}), expected) << code;
  }
}

TEST(LoadU32, IsLittleEndianAtAnyAddress) {
  const uint8_t bytes[] = {0, 0x78, 0x56, 0x34, 0xf2};
  EXPECT_EQ(LoadU32(bytes + 1), 0xf2345678u);
}

}  // namespace
}  // namespace fastweights
