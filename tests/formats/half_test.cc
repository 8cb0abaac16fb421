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

TEST(FloatToHalf, IsTheNearestOfAllHalves) {
  for (int code = 0; code < 0x10000; ++code) {
    const auto half = static_cast<uint16_t>(code);
    const float value = HalfToFloat(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(HalfToFloat(FloatToHalf(value))));
      continue;
    }
    ASSERT_EQ(FloatToHalf(value), half);
    if ((code & 0x7fff) >= 0x7bff) continue;
    // Between it and the next: the even one at the middle, else the nearer.
    const float next = HalfToFloat(static_cast<uint16_t>(code + 1));
    const float middle = (value + next) / 2;
    ASSERT_EQ(FloatToHalf(middle), code % 2 == 0 ? code : code + 1);
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, value)), code);
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, next)), code + 1);
  }
}

TEST(FloatToHalf, BeyondTheLargestIsInfinity) {
  EXPECT_EQ(FloatToHalf(65519.996f), 0x7bff);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(FloatToHalf(-1e30f), 0xfc00);
  EXPECT_EQ(FloatToHalf(0x1p-25f), 0);
  EXPECT_EQ(FloatToHalf(-0x1.00002p-25f), 0x8001);
}

}  // namespace
}  // namespace fastweights
