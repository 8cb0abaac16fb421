// SPDX-License-Identifier: MIT
#pragma once

// Products with keys and values that are floats, or the upper halves of some.
// Included by streaming.cc alone.

#include <cstdint>

#include "kernels/simd.h"
#include "kernels/softmax_attention/attention_block.h"
#include "kernels/softmax_attention/read_ahead.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// Four or eight numbers as they are kept.
template <KvType kType>
struct KvNumbers;
template <>
struct KvNumbers<KvType::kF32> {
  using Number = float;
  static F32x4 Load4(const float* from) { return Load(from); }
  static void Load8(const float* from, F32x4* to) {
    to[0] = Load(from);
    to[1] = Load(from + 4);
  }
};
template <>
struct KvNumbers<KvType::kBf16> {
  using Number = uint16_t;
  static F32x4 Load4(const uint16_t* from) { return LoadBfloat4(from); }
  static void Load8(const uint16_t* from, F32x4* to) {
    to[0] = LoadBfloat4(from);
    to[1] = LoadBfloat4(from + 4);
  }
};

// PageAttention's, of kF32 and kBf16. Every sum adds up its terms one after the
// other.
template <KvType kType>
class FloatProducts {
 public:
  // Six rows by a panel are twelve sums, which with the panel's eight numbers
  // and a query's are V8's fifteen registers: with one more, a third slower
  // than four rows.
  static constexpr int kScoreTile = kMulAddIsOne ? 6 : 4;
  static constexpr int kValueTile = kScoreTile;

  FloatProducts(const SoftmaxAttentionShape& shape, AttentionBlock& block)
      : shape_(shape), layout_(LayoutOf(shape)), block_(block) {}

  // Puts a block's queries side by side, those of a tile of rows in each dim,
  // to scratch.
  static void Prepare(const SoftmaxAttentionShape& shape, AttentionBlock& block,
                      float* scratch) {
    const int dim = shape.key_dim;
    block.ForEachTile<kScoreTile>([&](auto rows, int row) {
      constexpr int kRows = decltype(rows)::value;
      float* packed = scratch + row * dim;
      for (int r = 0; r < kRows; ++r) {
        for (int i = 0; i < dim; ++i)
          packed[i * kRows + r] = block.q[row + r][i];
        block.q[row + r] = packed;
      }
    });
  }

  template <int kQueries>
  void Scores(const float* head, int count, int row) {
    const auto* keys = reinterpret_cast<const Number*>(head + layout_.keys);
    constexpr int kPanels = PanelsBeside(kQueries);
    int s = 0;
    const size_t panels = sizeof(Number) * kPanel * kPanels * shape_.key_dim;
    for (; s + kPanel * (kPanels - 1) < count; s += kPanel * kPanels) {
      if (kReadsAhead) {
        ReadAheadOfPage(keys + s * shape_.key_dim, panels, head + layout_.head);
      }
      Scores<kQueries, kPanels>(keys, row, s);
    }
    for (; s < count; s += kPanel) Scores<kQueries, 1>(keys, row, s);
  }

  template <int kQueries>
  void AddValues(const float* head, const int* count, int row) {
    const auto* values = reinterpret_cast<const Number*>(head + layout_.values);
    constexpr int kPanels = PanelsBeside(kQueries);
    int column = 0;
    const size_t panels = sizeof(Number) * kPanel * kPanels * kPageTokens;
    for (; column + kPanel * kPanels <= shape_.value_dim;
         column += kPanel * kPanels) {
      if (kReadsAhead) {
        ReadAheadOfPage(values + column * kPageTokens, panels,
                        head + layout_.head);
      }
      AddValues<kQueries, kPanels, kPanel>(count, values, row, column);
    }
    if constexpr (kPanels > 1) {
      for (; column + kPanel <= shape_.value_dim; column += kPanel) {
        AddValues<kQueries, 1, kPanel>(count, values, row, column);
      }
    }
    if (column < shape_.value_dim) {
      AddValues<kQueries, 1, 4>(count, values, row, column);
    }
  }

 private:
  using Numbers = KvNumbers<kType>;
  using Number = typename Numbers::Number;

  // Floats whose products are one instruction keep memory busy as it is: with
  // 32 heads on 8 they lose a tenth.
  static constexpr bool kReadsAhead =
      sizeof(Number) < sizeof(float) || !kMulAddIsOne;

  // At least eight sums in flight: a sum waits for four cycles, and two
  // products begin in each.
  static constexpr int PanelsBeside(int queries) {
    return queries >= 4 ? 1 : queries >= 2 ? 2 : 4;
  }

  // weight[r][s + j] = q[r] . keys[s + j] * scale for the rows from `row` on
  // and the positions of kPanels panels
  template <int kQueries, int kPanels>
  void Scores(const Number* keys, int row, int s) {
    const int dim = shape_.key_dim, panel = kPanel * dim;
    const float* q = block_.q[row];
    F32x4 sum[kQueries][2 * kPanels];
    for (auto& sums : sum) {
      for (F32x4& x : sums) x = Splat(0.0f);
    }
    const Number* key = keys + s * dim;
    const Number* const end = key + panel;
    for (; key != end; key += kPanel, q += kQueries) {
      F32x4 k[2 * kPanels];
      for (int j = 0; j < kPanels; ++j) {
        Numbers::Load8(key + j * panel, k + 2 * j);
      }
      for (int r = 0; r < kQueries; ++r) {
        const F32x4 x = Splat(q[r]);
        for (int j = 0; j < 2 * kPanels; ++j) {
          sum[r][j] = MulAdd(x, k[j], sum[r][j]);
        }
      }
    }
    const F32x4 scale = Splat(shape_.scale);
    for (int r = 0; r < kQueries; ++r) {
      for (int j = 0; j < 2 * kPanels; ++j) {
        Store(block_.weight[row + r] + s + 4 * j, Mul(sum[r][j], scale));
      }
    }
  }

  // On kWidth columns of each of kPanels panels, the positions ascending.
  template <int kQueries, int kPanels, int kWidth>
  void AddValues(const int* count, const Number* values, int row, int column) {
    constexpr int kVectors = kPanels * kWidth / 4;
    float* const* out = block_.out + row;
    const float* weight = block_.weight[row];
    values += column * kPageTokens;
    F32x4 sum[kQueries][kVectors];
    for (int r = 0; r < kQueries; ++r) {
      const F32x4 rescale = Splat(block_.rescale[row + r]);
      for (int l = 0; l < kVectors; ++l) {
        sum[r][l] = Mul(Load(out[r] + column + 4 * l), rescale);
      }
    }
    for (const float* end = weight + count[0]; weight != end; ++weight) {
      F32x4 v[kVectors];
      LoadRow<kPanels, kWidth>(values, v);
      values += kWidth;
      for (int r = 0; r < kQueries; ++r) {
        const F32x4 w = Splat(weight[r * kPageTokens]);
        for (int l = 0; l < kVectors; ++l) {
          sum[r][l] = MulAdd(w, v[l], sum[r][l]);
        }
      }
    }
    for (int r = 0; r < kQueries; ++r) {
      for (int l = 0; l < kVectors; ++l) {
        Store(out[r] + column + 4 * l, sum[r][l]);
      }
    }
    // What later rows see beyond.
    for (int r = 1; r < kQueries; ++r) {
      const Number* v = values;
      for (int s = count[0]; s < count[r]; ++s, v += kWidth) {
        const F32x4 w = Splat(block_.weight[row + r][s]);
        for (int l = 0; l < kVectors; ++l) {
          float* to = out[r] + column + 4 * l;
          const Number* four =
              v + 4 * l / kWidth * kPageTokens * kWidth + 4 * l % kWidth;
          Store(to, MulAdd(w, Numbers::Load4(four), Load(to)));
        }
      }
    }
  }

  template <int kPanels, int kWidth>
  static void LoadRow(const Number* from, F32x4* to) {
    for (int j = 0; j < kPanels; ++j) {
      if constexpr (kWidth == kPanel) {
        Numbers::Load8(from + j * kPageTokens * kWidth, to + 2 * j);
      } else {
        to[j] = Numbers::Load4(from + j * kPageTokens * kWidth);
      }
    }
  }

  const SoftmaxAttentionShape& shape_;
  const KvLayout layout_;
  AttentionBlock& block_;
};

}  // namespace fastweights
