// SPDX-License-Identifier: MIT
#pragma once

// Products with keys and values that are floats, or the upper halves of some.
// Included by streaming.cc alone.

#include <cstdint>

#include "kernels/simd.h"
#include "kernels/softmax_attention/attention_block.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// Four numbers of a row as it is kept.
template <KvType kType>
struct KvRow;
template <>
struct KvRow<KvType::kF32> {
  using Number = float;
  static F32x4 Load4(const float* from) { return Load(from); }
};
template <>
struct KvRow<KvType::kBf16> {
  using Number = uint16_t;
  static F32x4 Load4(const uint16_t* from) { return LoadBfloat4(from); }
};

// PageAttention's, of kF32 and kBf16.
template <KvType kType>
class FloatProducts {
 public:
  // With two keys, or two vectors of a value, eight sums in flight and six
  // loads for eight multiplications.
  static constexpr int kScoreTile = 4, kValueTile = 4;

  FloatProducts(const SoftmaxAttentionShape& shape, int kv_head,
                AttentionBlock& block)
      : shape_(shape),
        layout_(LayoutOf(shape)),
        first_row_(kv_head * kPageTokens),
        block_(block) {}

  template <int kQueries>
  void Scores(const float* page, int count, int row) {
    const Number* keys = RowsOf(page, layout_.key_floats);
    int s = 0;
    for (; s + 2 <= count; s += 2) {
      Scores<kQueries, 2>(keys + s * shape_.key_dim, row, s);
    }
    if (s < count) Scores<kQueries, 1>(keys + s * shape_.key_dim, row, s);
  }

  void PrepareWeights(const float*, int, int) {}

  template <int kQueries>
  void AddValues(const float* page, const int* count, int row) {
    const Number* values = RowsOf(page + layout_.values, layout_.value_floats);
    int column = 0;
    for (; column + 8 <= shape_.value_dim; column += 8) {
      AddValues<kQueries, 2>(count, values, row, column);
    }
    if (column < shape_.value_dim) {
      AddValues<kQueries, 1>(count, values, row, column);
    }
  }

 private:
  using Row = KvRow<kType>;
  using Number = typename Row::Number;

  const Number* RowsOf(const float* rows, int floats) const {
    return reinterpret_cast<const Number*>(rows + first_row_ * floats);
  }

  // weight[r][s + j] = q[r] . keys[j] * scale for the rows from `row` on
  template <int kQueries, int kKeys>
  void Scores(const Number* keys, int row, int s) {
    const int dim = shape_.key_dim;
    const float* const* q = block_.q + row;
    F32x4 sum[kQueries][kKeys];
    for (auto& sums : sum) {
      for (F32x4& x : sums) x = Splat(0.0f);
    }
    for (int i = 0; i < dim; i += 4) {
      F32x4 k[kKeys];
      for (int j = 0; j < kKeys; ++j) k[j] = Row::Load4(keys + j * dim + i);
      for (int r = 0; r < kQueries; ++r) {
        const F32x4 x = Load(q[r] + i);
        for (int j = 0; j < kKeys; ++j) sum[r][j] = MulAdd(x, k[j], sum[r][j]);
      }
    }
    for (int r = 0; r < kQueries; ++r) {
      for (int j = 0; j < kKeys; ++j) {
        block_.weight[row + r][s + j] = Sum(sum[r][j]) * shape_.scale;
      }
    }
  }

  // On 4 * kVectors columns, the positions ascending.
  template <int kQueries, int kVectors>
  void AddValues(const int* count, const Number* values, int row, int column) {
    const int dim = shape_.value_dim;
    float* const* out = block_.out + row;
    const auto* weight = block_.weight + row;
    F32x4 sum[kQueries][kVectors];
    for (int r = 0; r < kQueries; ++r) {
      const F32x4 rescale = Splat(block_.rescale[row + r]);
      for (int l = 0; l < kVectors; ++l) {
        sum[r][l] = Mul(Load(out[r] + column + 4 * l), rescale);
      }
    }
    const auto add = [&](int r, int s) {
      const F32x4 w = Splat(weight[r][s]);
      for (int l = 0; l < kVectors; ++l) {
        sum[r][l] =
            MulAdd(w, Row::Load4(values + s * dim + column + 4 * l), sum[r][l]);
      }
    };
    for (int s = 0; s < count[0]; ++s) {
      for (int r = 0; r < kQueries; ++r) add(r, s);
    }
    for (int r = 1; r < kQueries; ++r) {
      for (int s = count[0]; s < count[r]; ++s) add(r, s);
    }
    for (int r = 0; r < kQueries; ++r) {
      for (int l = 0; l < kVectors; ++l) {
        Store(out[r] + column + 4 * l, sum[r][l]);
      }
    }
  }

  const SoftmaxAttentionShape& shape_;
  const KvLayout layout_;
  const int first_row_;
  AttentionBlock& block_;
};

}  // namespace fastweights
