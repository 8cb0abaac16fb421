// SPDX-License-Identifier: MIT
#pragma once

// Products with int8 keys and values, of whole numbers: queries have 14 bits;
// weights have seven, times a scale of eight that sixteen positions share.
// Included by streaming.cc alone.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/simd.h"
#include "kernels/softmax_attention/attention_block.h"
#include "kernels/softmax_attention/largest.h"
#include "kernels/softmax_attention/read_ahead.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// PageAttention's, of kInt8. QueryDot is how queries meet keys, WeightDot how
// weights meet values, all to the same bits.
template <typename QueryDot, typename WeightDot>
class Int8Products {
 public:
  // Eight sums in flight, as V8 has fifteen registers: of scores each has two
  // halves. Four rows, so that keys are read once, at an even pace that memory
  // keeps up with: one token of four heads on one over 32 768 takes 0.83 of the
  // time that it takes by two rows, which go over keys in the cache a second
  // time while memory waits (Zen 5); where all is in the cache, 1.03.
  static constexpr int kScoreTile = 4;
  static constexpr int kValueTile = 4;

  Int8Products(const SoftmaxAttentionShape& shape, AttentionBlock& block)
      : shape_(shape), layout_(LayoutOf(shape)), block_(block) {}

  // Puts a block's queries as whole numbers to scratch, those of a tile of rows
  // side by side in each four dims.
  static void Prepare(const SoftmaxAttentionShape& shape, AttentionBlock& block,
                      float* scratch) {
    block.ForEachTile<kScoreTile>([&](auto rows, int row) {
      constexpr int kRows = decltype(rows)::value;
      auto* packed =
          reinterpret_cast<uint8_t*>(scratch) + row * 2 * shape.key_dim;
      for (int r = 0; r < kRows; ++r) {
        block.codes[row + r] = packed;
        block.unit[row + r] =
            shape.scale * QuantiseQuery<kRows>(shape.key_dim, block.q[row + r],
                                               packed + 8 * r);
      }
    });
  }

  template <int kQueries>
  void Scores(const float* head, int count, int row) {
    int s = 0;
    constexpr int kQuads = kQueries >= 4 ? 1 : 2;
    const auto* keys = reinterpret_cast<const int8_t*>(head + layout_.keys);
    const int quads = 4 * kQuads * shape_.key_dim;
    for (; s + 4 * (kQuads - 1) < count; s += 4 * kQuads) {
      ReadAheadOfPage(keys + s * shape_.key_dim, quads, head + layout_.head);
      Scores<kQueries, kQuads>(head, row, s);
    }
    if (s < count) Scores<kQueries, 1>(head, row, s);
  }

  template <int kQueries>
  void AddValues(const float* head, const int* counts, int row) {
    for (int r = 0; r < kQueries; ++r) {
      Rescale(row + r);
      unit_[r] =
          QuantiseWeights(head, counts[r], block_.weight[row + r], factors_[r]);
    }
    const int count = counts[kQueries - 1];
    const auto* values = reinterpret_cast<const int8_t*>(head + layout_.values);
    int column = 0;
    for (; column + 8 <= shape_.value_dim; column += 8) {
      ReadAheadOfPage(values + column * kPageTokens, 8 * kPageTokens,
                      head + layout_.head);
      AddValues<kQueries, 2>(count, values, row, column);
    }
    for (; column < shape_.value_dim; column += 4) {
      AddValues<kQueries, 1>(count, values, row, column);
    }
  }

 private:
  using Four = typename WeightDot::Four;

  // Positions whose weights share a scale. Of random keys and values outputs
  // are then off by up to 1.3 times what int8 alone is off by; of 32 by 1.45.
  static constexpr int kGroup = 16;
  static constexpr int kGroups = kPageTokens / kGroup;
  static constexpr int kFours = kPageTokens / 4;
  static constexpr float kMostCode = 127.0f, kMostScale = 256.0f;

  // Writes a query [dim] in whole numbers to `codes`, eight bytes for each
  // four, kRows of them apart; returns what one of them is, NaN where a number
  // is not finite.
  template <int kRows>
  static float QuantiseQuery(int dim, const float* q, uint8_t* codes) {
    constexpr float kMost = kQueryZero - 1;
    const float most = LargestMagnitude(dim, q);
    const F32x4 times = Splat(most >= 0x1p-100f ? kMost / most : 0.0f);
    for (int i = 0; i < dim; i += 4) {
      const F32x4 x = Mul(Load(q + i), times);
      QueryDot::Store(codes + 2 * kRows * i,
                      Add(Max(Min(x, Splat(kMost)), Splat(-kMost)),
                          Splat(float{kQueryZero})));
    }
    return most / kMost;
  }

  // A row's weights times the values' scales, as whole numbers; returns what
  // one of them is, NaN where a number is not finite.
  float QuantiseWeights(const float* head, int count, float* weight,
                        Four* factors) const {
    const float* scales = head + layout_.value_scales;
    alignas(16) float seen[kPageTokens] = {};
    if (count < kPageTokens) {
      // Past the end the scale may be anything.
      std::copy_n(scales, count, seen);
      scales = seen;
    }
    const int groups = (count + kGroup - 1) / kGroup;
    float most[kGroups] = {};
    for (int g = 0; g < groups; ++g) {
      F32x4 largest = Splat(0.0f), nothing = Splat(0.0f);
      for (int s = g * kGroup; s < (g + 1) * kGroup; s += 4) {
        const F32x4 x = Mul(Load(weight + s), Load(scales + s));
        Store(weight + s, x);
        largest = Max(largest, x);
        nothing = MulAdd(x, Splat(0.0f), nothing);
      }
      most[g] = Largest(largest) + Sum(nothing);
    }
    float largest = most[0];
    for (const float x : most) {
      // NaN stays.
      if (x > largest || x != x) largest = x;
    }
    // Nothing, or what has no inverse.
    const bool any = largest >= 0x1p-100f;
    for (int g = 0; g < kGroups; ++g) {
      // Rounded up, so that no code is above kMostCode.
      const float part = any ? kMostScale * (most[g] / largest) : 0.0f;
      const int scale = std::max(1, static_cast<int>(std::ceil(part)));
      const float unit = largest * (static_cast<float>(scale) / kMostScale);
      const F32x4 times = Splat(any ? kMostCode / unit : 0.0f);
      const float* x = weight + g * kGroup;
      const F32x4 codes[] = {Mul(Load(x), times), Mul(Load(x + 4), times),
                             Mul(Load(x + 8), times), Mul(Load(x + 12), times)};
      WeightDot::Store(factors + g * kGroup / 4, codes, scale);
    }
    return largest / (kMostCode * kMostScale);
  }

  // Scores of the rows from `row` on with the four positions from s on.
  template <int kQueries, int kQuads>
  void Scores(const float* head, int row, int s) {
    const int dim = shape_.key_dim;
    const int8_t* keys =
        reinterpret_cast<const int8_t*>(head + layout_.keys) + s * dim;
    const uint8_t* codes = block_.codes[row];
    typename QueryDot::Sums sum[kQueries][kQuads];
    for (auto& sums : sum) {
      for (auto& x : sums) x = QueryDot::Begin();
    }
    const int8_t* const end = keys + 4 * dim;
    for (; keys != end; keys += 16, codes += 8 * kQueries) {
      typename QueryDot::Rows k[kQuads];
      for (int g = 0; g < kQuads; ++g) {
        k[g] = QueryDot::Of(LoadI8(keys + 4 * g * dim));
      }
      for (int r = 0; r < kQueries; ++r) {
        const auto x = QueryDot::Load(codes + 8 * r);
        for (int g = 0; g < kQuads; ++g) {
          sum[r][g] = QueryDot::Add(k[g], x, sum[r][g]);
        }
      }
    }
    const float* here = head + s;
    for (int g = 0; g < kQuads; ++g) {
      const F32x4 scale = Load(here + layout_.key_scales + 4 * g);
      const I32x4 zero = LoadI32(
          reinterpret_cast<const int32_t*>(here + layout_.key_sums + 4 * g));
      for (int r = 0; r < kQueries; ++r) {
        const I32x4 products = Sub(QueryDot::End(sum[r][g]), zero);
        Store(block_.weight[row + r] + s + 4 * g,
              Mul(Mul(ToFloat(products), scale), Splat(block_.unit[row + r])));
      }
    }
  }

  void Rescale(int r) {
    const float by = block_.rescale[r];
    if (by == 1.0f) return;
    const F32x4 rescale = Splat(by);
    float* out = block_.out[r];
    for (int i = 0; i < shape_.value_dim; i += 4) {
      Store(out + i, Mul(Load(out + i), rescale));
    }
  }

  // On 4 * kVectors columns.
  template <int kQueries, int kVectors>
  void AddValues(int count, const int8_t* values, int row, int column) {
    const Four* factors = factors_[0];
    const Four* const last = factors + (count + 3) / 4;
    const int8_t* from = values + column * kPageTokens;
    float* out[kQueries];
    for (int r = 0; r < kQueries; ++r) out[r] = block_.out[row + r] + column;
    typename WeightDot::Sums sum[kQueries][kVectors];
    for (auto& sums : sum) {
      for (auto& x : sums) x = WeightDot::Begin();
    }
    while (factors < last) {
      const Four* end = WeightDot::kBySixteen ? factors + kGroup / 4 : last;
      // Unrolled, LLVM makes one expression of each sum, and V8 spills what
      // goes into it: 8.7 ms where this takes 5.3.
#pragma GCC unroll 1
      for (; factors < end; ++factors, from += 16 * kVectors) {
        I8x16 v[kVectors];
        for (int l = 0; l < kVectors; ++l) v[l] = LoadI8(from + 16 * l);
        for (int r = 0; r < kQueries; ++r) {
          const Four x = factors[r * kFours];
          for (int l = 0; l < kVectors; ++l) {
            sum[r][l] = WeightDot::Add(v[l], x, sum[r][l]);
          }
        }
      }
      if constexpr (WeightDot::kBySixteen) {
        for (int r = 0; r < kQueries; ++r) {
          const Four x = factors[r * kFours - 1];
          for (auto& sums : sum[r]) sums = WeightDot::EndSixteen(x, sums);
        }
      }
    }
    for (int r = 0; r < kQueries; ++r) {
      const F32x4 unit = Splat(unit_[r]);
      for (int l = 0; l < kVectors; ++l) {
        const F32x4 x = ToFloat(WeightDot::End(sum[r][l]));
        Store(out[r] + 4 * l, MulAdd(x, unit, Load(out[r] + 4 * l)));
      }
    }
  }

  const SoftmaxAttentionShape& shape_;
  const KvLayout layout_;
  AttentionBlock& block_;
  // Of a tile's rows, and what one of them is.
  alignas(16) Four factors_[kValueTile][kFours];
  float unit_[kValueTile];
};

}  // namespace fastweights
