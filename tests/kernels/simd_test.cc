// SPDX-License-Identifier: MIT
#include "kernels/simd.h"

#include <cstring>

#include "formats/half.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

// Where a quad has the weight of a row and a column.
int PlaceInQuad(int row, int column) {
#ifdef __wasm_relaxed_simd__
  return row * 4 + column;
#else
  return column / 2 * 8 + row * 2 + column % 2;
#endif
}

// Four inputs as a dot product takes them.
template <class Code>
void StoreInput(const int* x, Code* input) {
  for (int i = 0; i < 4; ++i) input[i] = static_cast<Code>(x[i]);
}
#ifdef __wasm_relaxed_simd__
void StoreInput(const int* x, HalvesDot::Code* input) {
  int8_t halves[8];
  for (int i = 0; i < 4; ++i) {
    halves[4 + i] = static_cast<int8_t>((x[i] + 8) >> 4);
    halves[i] = static_cast<int8_t>(x[i] - 16 * halves[4 + i]);
  }
  std::memcpy(input, halves, sizeof(halves));
}
#endif

// Four rows of four weights with four inputs, several times: exact in every
// lane. `zero_point` is what the stored weights are more than those that are
// meant.
template <class Dot>
void ExpectExactDots(int lowest_weight, int highest_weight, int zero_point,
                     int times = 2) {
  constexpr int kStart = 1000;
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    int8_t weights[16];
    typename Dot::Code input[4];
    int expected[4] = {};
    for (int i = 0; i < 16; ++i) {
      const int range = highest_weight - lowest_weight + 1;
      // The first trials hold the extremes, which overflow 16 bits in pairs.
      weights[i] = static_cast<int8_t>(
          trial < 2   ? lowest_weight
          : trial < 4 ? highest_weight
                      : lowest_weight + static_cast<int>(random.Below(range)));
    }
    int codes[4];
    for (int i = 0; i < 4; ++i) {
      codes[i] = trial < 4 ? trial % 2 * 254 - 127
                           : static_cast<int>(random.Below(255)) - 127;
      for (int r = 0; r < 4; ++r) {
        expected[r] += times * (weights[4 * r + i] + zero_point) * codes[i];
      }
    }
    StoreInput(codes, input);
    int8_t stored[16];
    for (int i = 0; i < 16; ++i) {
      stored[PlaceInQuad(i / 4, i % 4)] =
          static_cast<int8_t>(weights[i] + zero_point);
    }
    const I32x4 start = SplatI32(kStart);
    auto sums = Dot::Begin(start);
    typename Dot::Weights w[2] = {Dot::Of(LoadI8(stored)), Dot::Load(stored)};
    typename Dot::Input x[2] = {Dot::LoadInput(input), Dot::LoadInput(input)};
    for (int i = 0; i < times; i += 2) {
      sums = Dot::template Add<2>(w, x, sums);
    }
    int32_t lanes[4];
    StoreI32(lanes, Dot::End(sums, start));
    for (int r = 0; r < 4; ++r)
      EXPECT_EQ(lanes[r], kStart + expected[r]) << trial;
  }
}

// Four rows of four codes with four factors, up to the largest of both.
template <class Dot>
void ExpectExactFactorDots() {
  constexpr int kTerms = 64, kMost = 16383;
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    auto sums = Dot::Begin();
    int expected[4] = {};
    for (int term = 0; term < kTerms; ++term) {
      int8_t rows[16];
      float factors[4];
      uint8_t stored[8];
      for (int8_t& code : rows) {
        code = static_cast<int8_t>(trial == 0   ? 127
                                   : trial == 1 ? -127
                                                : random.Below(255) - 127);
      }
      for (int i = 0; i < 4; ++i) {
        const int factor = trial < 2 ? kMost : random.Below(kMost + 1);
        factors[i] = static_cast<float>(factor);
        for (int r = 0; r < 4; ++r) expected[r] += rows[4 * r + i] * factor;
      }
      Dot::Store(stored, Load(factors));
      sums = Dot::Add(Dot::Of(LoadI8(rows)), Dot::Load(stored), sums);
    }
    int lanes[4];
    StoreI32(lanes, Dot::End(sums));
    for (int r = 0; r < 4; ++r) EXPECT_EQ(lanes[r], expected[r]);
  }
}

// The same with factors of seven bits that share scales in sixteens.
template <class Dot>
void ExpectExactSmallFactorDots() {
  constexpr int kTerms = 64, kMost = 127, kMostScale = 256;
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    int8_t rows[kTerms][16];
    typename Dot::Four stored[kTerms];
    float factors[4 * kTerms];
    int scales[kTerms / 4], expected[4] = {};
    for (int& scale : scales) {
      scale = trial < 2 ? kMostScale : random.Below(kMostScale + 1);
    }
    for (int i = 0; i < 4 * kTerms; ++i) {
      const int factor = trial < 2 ? kMost : random.Below(kMost + 1);
      factors[i] = static_cast<float>(factor);
      for (int r = 0; r < 4; ++r) {
        const int code = trial == 0   ? 127
                         : trial == 1 ? -127
                                      : random.Below(255) - 127;
        rows[i / 4][4 * r + i % 4] = static_cast<int8_t>(code);
        expected[r] += code * factor * scales[i / 16];
      }
    }
    for (int i = 0; i < 4 * kTerms; i += 16) {
      const float* x = factors + i;
      const F32x4 codes[] = {Load(x), Load(x + 4), Load(x + 8), Load(x + 12)};
      Dot::Store(stored + i / 4, codes, scales[i / 16]);
    }
    auto sums = Dot::Begin();
    for (int term = 0; term < kTerms; ++term) {
      sums = Dot::Add(LoadI8(rows[term]), stored[term], sums);
      if constexpr (Dot::kBySixteen) {
        if (term % 4 == 3) sums = Dot::EndSixteen(stored[term], sums);
      }
    }
    int lanes[4];
    StoreI32(lanes, Dot::End(sums));
    for (int r = 0; r < 4; ++r) EXPECT_EQ(lanes[r], expected[r]);
  }
}

TEST(Simd, FactorDotsAreExactWhicheverIsFaster) {
  ExpectExactFactorDots<WideFactorDot>();
  ExpectExactFactorDots<NarrowHalvesDot>();
  ExpectExactSmallFactorDots<NarrowFactorDot>();
  ExpectExactSmallFactorDots<ShortFactorDot>();
}

TEST(Simd, WideDotIsExact) {
#ifdef __wasm_relaxed_simd__
  ExpectExactDots<WideDot>(-128, 127, 128);
#else
  ExpectExactDots<WideDot>(-128, 127, 0);
#endif
}

#ifdef __wasm_relaxed_simd__
TEST(Simd, NarrowDotIsExactForSevenBitWeights) {
  ExpectExactDots<NarrowDot>(0, 127, 0);
}

TEST(Simd, ShortDotIsExactWhileItsSumsFit) {
  ExpectExactDots<ShortDot<true>>(0, 15, 0, 8);
  ExpectExactDots<ShortDot<false>>(0, 63, 0, 8);
}

TEST(Simd, SignedWeightsAreExactInTheFormThatTheEngineWants) {
  switch (RelaxedDotOperand()) {
    case WideOperand::kUnsigned:
      return ExpectExactDots<NarrowDot>(-128, 127, 128);
    case WideOperand::kSigned:
      return ExpectExactDots<NarrowDot>(-128, 127, 0);
    case WideOperand::kSaturates:
      return ExpectExactDots<HalvesDot>(-128, 127, 128, 8);
  }
}
#endif

TEST(Simd, LoadHalf4IsExactForEveryFiniteCode) {
  for (int code = 0; code < 0x10000; code += 4) {
    uint16_t halves[4];
    float lanes[4];
    for (int i = 0; i < 4; ++i) halves[i] = static_cast<uint16_t>(code + i);
    Store(lanes, LoadHalf4(halves, SplatI32(kHalfMask), Splat(kHalfScale)));
    if ((code & 0x7c00) == 0x7c00) continue;  // infinities and NaN
    for (int i = 0; i < 4; ++i) EXPECT_EQ(lanes[i], HalfToFloat(halves[i]));
  }
}

TEST(Simd, HalfLoaderIsExactForEveryFiniteCode) {
  const HalfLoader load(kHalfConstants);
  for (int code = 0; code < 0x10000; code += 4) {
    uint16_t halves[4];
    float lanes[4];
    for (int i = 0; i < 4; ++i) halves[i] = static_cast<uint16_t>(code + i);
    Store(lanes, load(halves));
    if ((code & 0x7c00) == 0x7c00) continue;  // infinities and NaN
    for (int i = 0; i < 4; ++i) EXPECT_EQ(lanes[i], HalfToFloat(halves[i]));
  }
}

TEST(Simd, LoadBfloat4TakesUpperHalves) {
  const uint16_t halves[4] = {0x3f80, 0xc049, 0x0001, 0xff80};
  float lanes[4];
  Store(lanes, LoadBfloat4(halves));
  EXPECT_EQ(lanes[0], 1.0f);
  EXPECT_EQ(lanes[1], -3.140625f);
  EXPECT_EQ(lanes[2], 0x1p-133f);
  EXPECT_EQ(lanes[3], -INFINITY);
}

TEST(Simd, StoreNearestI8RoundsTiesToEven) {
  const float x[16] = {0.5f,  1.5f,   2.5f,   -0.5f,   -1.5f,  -2.5f,
                       0.49f, -0.51f, 127.0f, -127.0f, 126.5f, -126.5f,
                       0.0f,  -0.0f,  3.7f,   -100.2f};
  const int8_t expected[16] = {0,   2,    2,   0,    -2, -2, 0, -1,
                               127, -127, 126, -126, 0,  0,  4, -100};
  int8_t codes[18];
  codes[0] = codes[17] = 99;
  StoreNearestI8(codes + 1, Load(x), Load(x + 4), Load(x + 8), Load(x + 12));
  for (int i = 0; i < 16; ++i) EXPECT_EQ(codes[i + 1], expected[i]) << x[i];
  EXPECT_EQ(codes[0], 99);
  EXPECT_EQ(codes[17], 99);
}

TEST(Simd, PowersOfTwoAreExact) {
  for (int n = -126; n <= 127; ++n) {
    float lanes[4];
    Store(lanes, PowerOfTwo(Splat(static_cast<float>(n) + kExponentOfOne)));
    EXPECT_EQ(lanes[3], std::ldexp(1.0f, n));
  }
}

// WebAssembly's pseudo-minimum and -maximum, and the twin of them.
TEST(Simd, MinAndMaxKeepTheFirstOperandBesideANaN) {
  float lanes[4];
  Store(lanes, Max(Splat(1.0f), Splat(NAN)));
  EXPECT_EQ(lanes[0], 1.0f);
  Store(lanes, Max(Splat(NAN), Splat(1.0f)));
  EXPECT_TRUE(std::isnan(lanes[0]));
  Store(lanes, Min(Splat(NAN), Splat(1.0f)));
  EXPECT_TRUE(std::isnan(lanes[0]));
}

TEST(Simd, TransposeTurnsRowsIntoColumns) {
  I32x4 x[4];
  for (int i = 0; i < 4; ++i) {
    const int32_t row[] = {10 * i, 10 * i + 1, 10 * i + 2, 10 * i + 3};
    x[i] = LoadI32(row);
  }
  Transpose(x);
  for (int i = 0; i < 4; ++i) {
    int32_t column[4];
    StoreI32(column, x[i]);
    for (int j = 0; j < 4; ++j) EXPECT_EQ(column[j], 10 * j + i);
  }
}

TEST(Simd, LanesAreNamedFromTheLowestAddressUp) {
  const float a[4] = {1, 2, 3, 4}, b[4] = {8, 4, 2, -1}, c[4] = {1, 1, 1, 1};
  float lanes[4];
  const auto expect = [&](float x, float y, float z, float w) {
    EXPECT_EQ(lanes[0], x);
    EXPECT_EQ(lanes[1], y);
    EXPECT_EQ(lanes[2], z);
    EXPECT_EQ(lanes[3], w);
  };
  Store(lanes, Add(Load(a), Load(b)));
  expect(9, 6, 5, 3);
  Store(lanes, Sub(Load(a), Load(b)));
  expect(-7, -2, 1, 5);
  Store(lanes, Mul(Load(a), Load(b)));
  expect(8, 8, 6, -4);
  Store(lanes, Div(Load(b), Load(a)));
  expect(8, 2, 2.0f / 3.0f, -0.25f);
  Store(lanes, MulAdd(Load(a), Load(b), Load(c)));
  expect(9, 9, 7, -3);
  Store(lanes, Min(Load(a), Load(b)));
  expect(1, 2, 2, -1);
  Store(lanes, Max(Load(a), Load(b)));
  expect(8, 4, 3, 4);
  Store(lanes, Abs(Load(b)));
  expect(8, 4, 2, 1);
  EXPECT_EQ(Sum(Load(b)), 13.0f);
}

}  // namespace
}  // namespace fastweights
