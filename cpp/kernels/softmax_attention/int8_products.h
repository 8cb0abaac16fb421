// SPDX-License-Identifier: MIT
#pragma once

// Products with int8 keys and values, of whole numbers: queries have 14 bits;
// weights have seven, against the largest of sixteen positions. Included by
// streaming.cc alone.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/simd.h"
#include "kernels/softmax_attention/attention_block.h"
#include "kernels/softmax_attention/largest.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// PageAttention's, of kInt8. QueryDot is how queries meet keys, WeightDot how
// weights meet values, all to the same bits.
template <typename QueryDot, typename WeightDot>
class Int8Products {
 public:
  // Eight sums in flight, as V8 has fifteen registers: of scores each has two
  // halves. Keys that are widened first meet more rows.
  static constexpr int kScoreTile =
      std::is_same_v<QueryDot, WideFactorDot> ? 4 : 2;
  static constexpr int kValueTile = 4;

  Int8Products(const SoftmaxAttentionShape& shape, int kv_head,
               AttentionBlock& block)
      : shape_(shape),
        layout_(LayoutOf(shape)),
        first_row_(kv_head * kPageTokens),
        block_(block) {}

  // Puts a block's queries as whole numbers to scratch.
  static void Prepare(const SoftmaxAttentionShape& shape, AttentionBlock& block,
                      float* scratch) {
    for (int r = 0; r < block.rows; ++r) {
      auto* codes = reinterpret_cast<uint8_t*>(scratch) + r * 2 * shape.key_dim;
      block.codes[r] = codes;
      block.unit[r] =
          shape.scale * QuantiseQuery(shape.key_dim, block.q[r], codes);
    }
  }

  template <int kQueries>
  void Scores(const float* page, int count, int row) {
    int s = 0;
    constexpr int kGroups = kQueries >= 4 ? 1 : 2;
    for (; s + 4 * (kGroups - 1) < count; s += 4 * kGroups) {
      Scores<kQueries, kGroups>(page, row, s);
    }
    if (s < count) Scores<kQueries, 1>(page, row, s);
  }

  // Row r's weights times the values' scales, as whole numbers.
  void PrepareWeights(const float* page, int count, int r) {
    const float* scales = page + layout_.value_scales + first_row_;
    float* weight = block_.weight[r];
    for (int s = 0; s < count; s += 4) {
      Store(weight + s, Mul(Load(weight + s), Load(scales + s)));
    }
    // Past the end the scale may be anything.
    std::fill(weight + count, weight + kPageTokens, 0.0f);
    for (int g = 0; g < kUnits; ++g) {
      const float* x = weight + g * kGroup;
      const float most = LargestMagnitude(kGroup, x);
      unit_[r][g] = most / kMostWeight;
      const F32x4 times = Splat(most >= 0x1p-100f ? kMostWeight / most : 0.0f);
      WeightDot::Store(factors_[r] + g * kGroup, Mul(Load(x), times),
                       Mul(Load(x + 4), times), Mul(Load(x + 8), times),
                       Mul(Load(x + 12), times));
    }
  }

  template <int kQueries>
  void AddValues(const float* page, const int* counts, int row) {
    const int count = counts[kQueries - 1];
    const int8_t* values = RowsOf(page + layout_.values, layout_.value_floats);
    for (int r = row; r < row + kQueries; ++r) Rescale(r);
    int column = 0;
    for (; column + 8 <= shape_.value_dim; column += 8) {
      AddValues<kQueries, 2>(count, values, row, column);
    }
    for (; column < shape_.value_dim; column += 4) {
      AddValues<kQueries, 1>(count, values, row, column);
    }
  }

 private:
  // Positions whose weights share a unit. Of random keys and values outputs are
  // then off by up to 1.3 times what int8 alone is off by; of 32 by 1.45, in
  // 2 % less time.
  static constexpr int kGroup = 16;
  static constexpr int kUnits = kPageTokens / kGroup;
  static constexpr float kMostWeight = 127.0f;

  // Writes a query [dim] in whole numbers to `codes` [2 * dim bytes]; returns
  // what one of them is, NaN where a number is not finite.
  static float QuantiseQuery(int dim, const float* q, uint8_t* codes) {
    constexpr float kMost = kQueryZero - 1;
    const float most = LargestMagnitude(dim, q);
    const F32x4 times = Splat(most >= 0x1p-100f ? kMost / most : 0.0f);
    for (int i = 0; i < dim; i += 4) {
      const F32x4 x = Mul(Load(q + i), times);
      QueryDot::Store(codes + 2 * i,
                      Add(Max(Min(x, Splat(kMost)), Splat(-kMost)),
                          Splat(float{kQueryZero})));
    }
    return most / kMost;
  }

  const int8_t* RowsOf(const float* rows, int floats) const {
    return reinterpret_cast<const int8_t*>(rows + first_row_ * floats);
  }

  // Scores of the rows from `row` on with the four positions from s on.
  template <int kQueries, int kGroups>
  void Scores(const float* page, int row, int s) {
    const int dim = shape_.key_dim;
    const int8_t* keys = RowsOf(page, layout_.key_floats) + s * dim;
    const uint8_t* const* codes = block_.codes + row;
    typename QueryDot::Sums sum[kQueries][kGroups];
    for (auto& sums : sum) {
      for (auto& x : sums) x = QueryDot::Begin();
    }
    for (int i = 0; i < dim; i += 4) {
      typename QueryDot::Rows k[kGroups];
      for (int g = 0; g < kGroups; ++g) {
        k[g] = QueryDot::Of(LoadI8(keys + 4 * (g * dim + i)));
      }
      for (int r = 0; r < kQueries; ++r) {
        const auto x = QueryDot::Load(codes[r] + 2 * i);
        for (int g = 0; g < kGroups; ++g) {
          sum[r][g] = QueryDot::Add(k[g], x, sum[r][g]);
        }
      }
    }
    const float* here = page + first_row_ + s;
    for (int g = 0; g < kGroups; ++g) {
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
    float* out[kQueries];
    for (int r = 0; r < kQueries; ++r) out[r] = block_.out[row + r] + column;
    const int8_t* from = values + column * kPageTokens;
    const int8_t* factors = factors_[row];
    const float* unit = unit_[row];
    for (; count > 0; count -= kGroup) {
      typename WeightDot::Sums sum[kQueries][kVectors];
      for (auto& sums : sum) {
        for (auto& x : sums) x = WeightDot::Begin();
      }
      const int8_t* const end = factors + kGroup;
      // Unrolled, LLVM makes one expression of each sum, and V8 spills what
      // goes into it: 8.7 ms where this takes 5.3.
#pragma GCC unroll 1
      for (; factors != end; factors += 4, from += 16 * kVectors) {
        I8x16 v[kVectors];
        for (int l = 0; l < kVectors; ++l) v[l] = LoadI8(from + 16 * l);
        for (int r = 0; r < kQueries; ++r) {
          const auto x = WeightDot::Load(factors + r * kPageTokens);
          for (int l = 0; l < kVectors; ++l) {
            sum[r][l] = WeightDot::Add(v[l], x, sum[r][l]);
          }
        }
      }
      for (int r = 0; r < kQueries; ++r) {
        const F32x4 one = Splat(unit[r * kUnits]);
        for (int l = 0; l < kVectors; ++l) {
          Store(out[r] + 4 * l, MulAdd(ToFloat(WeightDot::End(sum[r][l])), one,
                                       Load(out[r] + 4 * l)));
        }
      }
      ++unit;
    }
  }

  const SoftmaxAttentionShape& shape_;
  const KvLayout layout_;
  const int first_row_;
  AttentionBlock& block_;
  alignas(16) int8_t factors_[kAttentionRows][kPageTokens];
  float unit_[kAttentionRows][kUnits];  // what one of them is
};

}  // namespace fastweights
