// SPDX-License-Identifier: MIT
#pragma once

// Some rows of attention over one page of int8 keys and values, by products of
// whole numbers: queries and weights have 14 bits, so what is lost is what int8
// lost. Included by streaming.cc alone.

#include <algorithm>
#include <cstdint>

#include "kernels/exp.h"
#include "kernels/simd.h"
#include "kernels/softmax_attention/page.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// Writes a query [dim] in whole numbers to `codes` [2 * dim bytes]; returns
// what one of them is, NaN where a number is not finite.
inline float QuantiseQuery(int dim, const float* q, uint8_t* codes) {
  F32x4 largest = Splat(0.0f), nothing = Splat(0.0f);
  for (int i = 0; i < dim; i += 4) {
    const F32x4 x = Load(q + i);
    largest = Max(largest, Abs(x));
    nothing = MulAdd(x, Splat(0.0f), nothing);
  }
  float lanes[4];
  Store(lanes, largest);
  const float most = *std::max_element(lanes, lanes + 4);
  constexpr float kMost = kQueryZero - 1;
  const F32x4 times = Splat(most >= 0x1p-100f ? kMost / most : 0.0f);
  for (int i = 0; i < dim; i += 4) {
    const F32x4 x = Mul(Load(q + i), times);
    FactorDot::Store(codes + 2 * i,
                     Add(Max(Min(x, Splat(kMost)), Splat(-kMost)),
                         Splat(float{kQueryZero})));
  }
  return most / kMost + Sum(nothing);
}

template <>
class PageAttention<KvType::kInt8> {
 public:
  PageAttention(const SoftmaxAttentionShape& shape, int kv_head,
                AttentionBlock& block)
      : shape_(shape),
        layout_(LayoutOf(shape)),
        kv_head_(kv_head),
        block_(block) {}

  // A page whose positions begin at `start`.
  void AddPage(const float* page, int start) {
    const int row = kv_head_ * kPageTokens;
    Fetch(page + row * layout_.key_floats, kPageTokens * layout_.key_floats);
    Fetch(page + layout_.values + row * layout_.value_floats,
          kPageTokens * layout_.value_floats);
    int count[kAttentionRows];
    for (int r = 0; r < block_.rows; ++r) {
      count[r] = std::clamp(block_.length[r] - start, 0, kPageTokens);
    }
    ForEachTile<kTile>(block_.rows, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      Scores<kQueries>(count[r + kQueries - 1], page, r);
    });
    for (int r = 0; r < block_.rows; ++r) {
      const int first = std::clamp(block_.first[r] - start, 0, kPageTokens);
      block_.Softmax(exp_, first, count[r], r);
      QuantiseWeights(count[r], page + layout_.value_scales + row, r);
    }
    ForEachTile<kTile>(block_.rows, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      Accumulate<kQueries>(count[r + kQueries - 1], page, r);
    });
  }

 private:
  // Rows that are multiplied together with as many vectors: eight sums, each
  // of two halves, and six loads for eight products.
  static constexpr int kTile = 2;
  static constexpr float kMostWeight = 2 * kQueryZero - 1;

  const int8_t* RowsOf(const float* page, int rows, int floats) const {
    return reinterpret_cast<const int8_t*>(page + rows +
                                           kv_head_ * kPageTokens * floats);
  }

  // Scores of the rows from `row` on with the four positions from s on.
  template <int kQueries, int kGroups>
  void Scores(const float* page, int row, int s) {
    const int dim = shape_.key_dim;
    const int8_t* keys = RowsOf(page, 0, layout_.key_floats) + s * dim;
    const uint8_t* const* codes = block_.codes + row;
    FactorDot::Sums sum[kQueries][kGroups];
    for (auto& sums : sum) {
      for (auto& x : sums) x = FactorDot::Begin();
    }
    for (int i = 0; i < dim; i += 4) {
      I8x16 k[kGroups];
      for (int g = 0; g < kGroups; ++g) {
        k[g] = LoadI8(keys + 4 * (g * dim + i));
      }
      for (int r = 0; r < kQueries; ++r) {
        const FactorDot::Factors x = FactorDot::Load(codes[r] + 2 * i);
        for (int g = 0; g < kGroups; ++g) {
          sum[r][g] = FactorDot::Add(k[g], x, sum[r][g]);
        }
      }
    }
    const float* here = page + kv_head_ * kPageTokens + s;
    for (int g = 0; g < kGroups; ++g) {
      const F32x4 scale = Load(here + layout_.key_scales + 4 * g);
      const I32x4 zero = LoadI32(
          reinterpret_cast<const int32_t*>(here + layout_.key_sums + 4 * g));
      for (int r = 0; r < kQueries; ++r) {
        const I32x4 products = Sub(FactorDot::End(sum[r][g]), zero);
        Store(block_.weight[row + r] + s + 4 * g,
              Mul(Mul(ToFloat(products), scale), Splat(block_.unit[row + r])));
      }
    }
  }

  template <int kQueries>
  void Scores(int count, const float* page, int row) {
    int s = 0;
    for (; s + 4 < count; s += 8) Scores<kQueries, 2>(page, row, s);
    if (s < count) Scores<kQueries, 1>(page, row, s);
  }

  // Row r's weights [count] with the values' scales, as factors.
  void QuantiseWeights(int count, const float* scales, int r) {
    float* weight = block_.weight[r];
    F32x4 most = Splat(0.0f), nothing = Splat(0.0f);
    for (int s = 0; s < count; s += 4) {
      const F32x4 x = Mul(Load(weight + s), Load(scales + s));
      Store(weight + s, x);
      // Past the end the scale may be anything.
      if (s + 4 > count) std::fill(weight + count, weight + s + 4, 0.0f);
      most = Max(most, Load(weight + s));
      nothing = MulAdd(Load(weight + s), Splat(0.0f), nothing);
    }
    float lanes[4];
    Store(lanes, most);
    const float top = *std::max_element(lanes, lanes + 4);
    unit_[r] = top / kMostWeight + Sum(nothing);
    const F32x4 times = Splat(top >= 0x1p-100f ? kMostWeight / top : 0.0f);
    for (int s = 0; s < kPageTokens; s += 4) {
      const F32x4 x = s < count ? Mul(Load(weight + s), times) : Splat(0.0f);
      FactorDot::Store(factors_[r] + 2 * s, Min(x, Splat(kMostWeight)));
    }
  }

  // out[r] = out[r] * rescale[r] + sum_{s < count} weight[r][s] values[s] on
  // 4 * kVectors columns, for the rows from `row` on.
  template <int kQueries, int kVectors>
  void Accumulate(int count, const int8_t* values, int row, int column) {
    const int dim = shape_.value_dim;
    FactorDot::Sums sum[kQueries][kVectors];
    for (auto& sums : sum) {
      for (auto& x : sums) x = FactorDot::Begin();
    }
    for (int s = 0; s < count; s += 4) {
      I8x16 v[kVectors];
      for (int l = 0; l < kVectors; ++l) {
        v[l] = LoadI8(values + s * dim + 4 * (column + 4 * l));
      }
      for (int r = 0; r < kQueries; ++r) {
        const auto x = FactorDot::Load(factors_[row + r] + 2 * s);
        for (int l = 0; l < kVectors; ++l) {
          sum[r][l] = FactorDot::Add(v[l], x, sum[r][l]);
        }
      }
    }
    for (int r = 0; r < kQueries; ++r) {
      const F32x4 rescale = Splat(block_.rescale[row + r]);
      const F32x4 unit = Splat(unit_[row + r]);
      for (int l = 0; l < kVectors; ++l) {
        float* out = block_.out[row + r] + column + 4 * l;
        Store(out, MulAdd(ToFloat(FactorDot::End(sum[r][l])), unit,
                          Mul(Load(out), rescale)));
      }
    }
  }

  template <int kQueries>
  void Accumulate(int count, const float* page, int row) {
    const int8_t* values = RowsOf(page, layout_.values, layout_.value_floats);
    int column = 0;
    for (; column + 8 <= shape_.value_dim; column += 8) {
      Accumulate<kQueries, 2>(count, values, row, column);
    }
    if (column < shape_.value_dim) {
      Accumulate<kQueries, 1>(count, values, row, column);
    }
  }

  const SoftmaxAttentionShape& shape_;
  const KvLayout layout_;
  const int kv_head_;
  AttentionBlock& block_;
  const Exp exp_;
  alignas(16) uint8_t factors_[kAttentionRows][2 * kPageTokens];
  float unit_[kAttentionRows];  // what one of a row's is
};

}  // namespace fastweights
