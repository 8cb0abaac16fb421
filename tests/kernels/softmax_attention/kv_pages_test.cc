// SPDX-License-Identifier: MIT
#include "kernels/softmax_attention/kv_pages.h"

#include <bit>
#include <limits>

#include "kernel_test.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {
namespace {

SoftmaxAttentionShape Shape(KvType type, int dim) {
  return {.query_heads = 1,
          .kv_heads = 1,
          .key_dim = dim,
          .value_dim = dim,
          .scale = 1,
          .kv_type = type};
}

// A page whose first position has this key, and for its value the same.
Poisoned PageOf(KvType type, const std::vector<float>& row) {
  const SoftmaxAttentionShape shape = Shape(type, static_cast<int>(row.size()));
  Poisoned page(KvPageFloats(shape));
  float* pages[] = {page.data()};
  SoftmaxAttentionArgs args = {};
  args.k = args.v = row.data();
  args.cache = {pages, 0};
  AppendKeysAndValues(0, 1, shape, args);
  EXPECT_TRUE(page.intact());
  return page;
}

uint16_t Bfloat(float x) {
  Poisoned page = PageOf(KvType::kBf16, {x, x, x, x});
  const auto number = [&](int i) {
    uint16_t bits;
    std::memcpy(&bits,
                reinterpret_cast<const char*>(page.data()) +
                    2 * KeyPlace(KvType::kBf16, 4, 0, i),
                sizeof(bits));
    return bits;
  };
  EXPECT_EQ(number(0), number(3));
  return number(2);
}

TEST(KvRows, Bf16IsTheNearestWithTiesToEven) {
  const auto bits = [](uint32_t x) { return std::bit_cast<float>(x); };
  EXPECT_EQ(Bfloat(1.0f), 0x3f80);
  EXPECT_EQ(Bfloat(-2.5f), 0xc020);
  EXPECT_EQ(Bfloat(bits(0x3f808000)), 0x3f80);
  EXPECT_EQ(Bfloat(bits(0x3f818000)), 0x3f82);
  EXPECT_EQ(Bfloat(bits(0x3f808001)), 0x3f81);
  EXPECT_EQ(Bfloat(bits(0xbf807fff)), 0xbf80);
  EXPECT_EQ(Bfloat(bits(0x7f7fffff)), 0x7f80);
  EXPECT_EQ(Bfloat(0.0f), 0);
  EXPECT_EQ(Bfloat(INFINITY), 0x7f80);
  // Whose upper half alone would be infinity.
  EXPECT_EQ(Bfloat(bits(0x7f800001)) & 0x7fff, 0x7fc0);
}

TEST(KvRows, Int8IsWithinHalfAStepOfEachNumber) {
  for (const int dim : {4, 12, 64, 256}) {
    for (const double size : {1e-20, 1.0, 1e30}) {
      const std::vector<float> from = Random(dim).Normals(dim, size);
      Poisoned page = PageOf(KvType::kInt8, from);
      const KvLayout layout = LayoutOf(Shape(KvType::kInt8, dim));
      const auto* keys =
          reinterpret_cast<const int8_t*>(page.data() + layout.keys);
      const auto* values =
          reinterpret_cast<const int8_t*>(page.data() + layout.values);
      const float scale = page.data()[layout.key_scales];
      EXPECT_EQ(page.data()[layout.value_scales], scale);
      int largest = 0, sum = 0;
      for (int i = 0; i < dim; ++i) {
        const int code = keys[KeyPlace(KvType::kInt8, dim, 0, i)];
        EXPECT_EQ(values[ValuePlace(KvType::kInt8, dim, 0, i)], code);
        EXPECT_NEAR(code, from[i] / scale, 0.5001);
        largest = std::max(largest, std::abs(code));
        sum += code;
      }
      EXPECT_EQ(largest, 127);
      EXPECT_EQ(std::bit_cast<int32_t>(page.data()[layout.key_sums]),
                kQueryZero * sum);
    }
  }
}

TEST(KvRows, Int8OfNothingIsNothing) {
  for (const float x : {0.0f, 1e-39f, 1e-42f}) {
    Poisoned page = PageOf(KvType::kInt8, {x, -x, x, 0});
    const KvLayout layout = LayoutOf(Shape(KvType::kInt8, 4));
    EXPECT_EQ(std::bit_cast<uint32_t>(page.data()[layout.keys]), 0u);
    EXPECT_TRUE(std::isfinite(page.data()[layout.key_scales]));
  }
}

// So that whoever draws next hears of it.
TEST(KvRows, WhatIsNotFiniteStaysSo) {
  for (const float x : {NAN, INFINITY, -INFINITY}) {
    Poisoned page = PageOf(KvType::kInt8, {1, x, 2, 3});
    const KvLayout layout = LayoutOf(Shape(KvType::kInt8, 4));
    EXPECT_TRUE(std::isnan(page.data()[layout.key_scales]));
    EXPECT_TRUE(std::isnan(page.data()[layout.value_scales]));
    EXPECT_EQ(Bfloat(x) & 0x7f80, 0x7f80);
  }
}

TEST(KvPages, EachNumberHasAPlaceOfItsOwn) {
  for (const KvType type : {KvType::kF32, KvType::kBf16, KvType::kInt8}) {
    for (const int dim : {4, 8, 12, 20, 64}) {
      const auto count = static_cast<size_t>(kPageTokens) * dim;
      std::vector<int> keys(count), values(count);
      for (int s = 0; s < kPageTokens; ++s) {
        for (int i = 0; i < dim; ++i) {
          ++keys.at(KeyPlace(type, dim, s, i));
          ++values.at(ValuePlace(type, dim, s, i));
        }
      }
      EXPECT_EQ(keys, std::vector<int>(count, 1));
      EXPECT_EQ(values, std::vector<int>(count, 1));
    }
  }
}

TEST(KvPages, ClearedPositionsAreZerosAndOthersStay) {
  for (const KvType type : {KvType::kF32, KvType::kBf16, KvType::kInt8}) {
    const SoftmaxAttentionShape shape = {.query_heads = 2,
                                         .kv_heads = 2,
                                         .key_dim = 8,
                                         .value_dim = 12,
                                         .scale = 1,
                                         .kv_type = type};
    const auto floats = static_cast<size_t>(KvPageFloats(shape));
    const std::vector<float> k = Random(1).Normals(kPageTokens * 16);
    const std::vector<float> v = Random(2).Normals(kPageTokens * 24);
    const auto page_of = [&](int tokens) {
      Poisoned page(std::vector<float>(floats), 0);
      float* pages[] = {page.data()};
      SoftmaxAttentionArgs args = {};
      args.k = k.data();
      args.v = v.data();
      args.cache = {pages, 0};
      AppendKeysAndValues(0, tokens, shape, args);
      EXPECT_TRUE(page.intact());
      return page;
    };
    for (const int first : {1, 40, 63}) {
      Poisoned page = page_of(kPageTokens);
      EXPECT_FALSE(Same(page.values(), page_of(first).values()));
      ClearKeysAndValues(first, shape, page.data());
      EXPECT_TRUE(Same(page.values(), page_of(first).values()));
      EXPECT_TRUE(page.intact());
    }
  }
}

}  // namespace
}  // namespace fastweights
