// SPDX-License-Identifier: MIT
#pragma once

// Some rows of attention over one page. Included by streaming.cc alone.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/exp.h"
#include "kernels/simd.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

// Four numbers of a row as it is kept, but for its scale.
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

// Reads memory front to back, a word of each cache line, as fast as it comes:
// what then walks over it in columns finds it in the cache.
inline void Fetch(const float* from, int floats) {
  constexpr int kLine = 16;
  for (int i = 0; i < floats; i += kLine) {
    const float x = from[i];
    // So that the compiler reads it.
    asm volatile("" : : "r"(x));
  }
}

// Queries that read one key/value head, and where each stands.
struct AttentionBlock {
  int rows;
  const float* q[kAttentionRows];
  float* out[kAttentionRows];  // sums over positions so far, unnormalised
  int first[kAttentionRows];   // position that it sees, ascending
  int length[kAttentionRows];  // one past the last, ascending
  float top[kAttentionRows];   // best score so far
  float total[kAttentionRows];
  float rescale[kAttentionRows];  // of what came before a page
  // Scores, then their softmax.
  alignas(16) float weight[kAttentionRows][kPageTokens];
  // Of kInt8: the query in whole numbers up from zero, as FactorDot takes it.
  const uint8_t* codes[kAttentionRows];
  float unit[kAttentionRows];  // what one of them is, times the scale

  // Turns row r's scores [first, count) of a page into weights against the best
  // score so far; those before the first are nothing.
  void Softmax(const Exp& exp, int first, int count, int r) {
    if (first >= count) {
      // There may be no best score yet.
      std::fill(weight[r], weight[r] + kPageTokens, 0.0f);
      rescale[r] = 1.0f;
      return;
    }
    float* x = weight[r];
    std::fill(x, x + first, -INFINITY);
    // A weight of exactly nothing past the end, and four at a time before it.
    std::fill(x + count, x + kPageTokens, -INFINITY);
    F32x4 tops = Splat(top[r]);
    for (int s = 0; s < kPageTokens; s += 4) tops = Max(tops, Load(x + s));
    float lanes[4];
    Store(lanes, tops);
    const float best = *std::max_element(lanes, lanes + 4);
    rescale[r] = std::exp(top[r] - best);
    top[r] = best;
    F32x4 sum = Splat(0.0f);
    for (int s = 0; s < count; s += 4) {
      Store(x + s, exp(Sub(Load(x + s), Splat(best))));
      if (s < first) std::fill(x + s, x + std::min(s + 4, first), 0.0f);
      if (s + 4 > count) std::fill(x + count, x + s + 4, 0.0f);
      sum = Add(sum, Load(x + s));
    }
    total[r] = total[r] * rescale[r] + Sum(sum);
  }
};

// Calls tile(rows, row) for tiles of up to kTile rows, `rows` a constant.
template <int kTile, typename F>
void ForEachTile(int rows, const F& tile) {
  int row = 0;
  for (; row + kTile <= rows; row += kTile) {
    tile(std::integral_constant<int, kTile>(), row);
  }
  for (; row < rows; ++row) tile(std::integral_constant<int, 1>(), row);
}

// The steps of a page for `block`'s rows: of kF32 and kBf16.
template <KvType kType>
class PageAttention {
 public:
  using Row = KvRow<kType>;
  using Number = typename Row::Number;

  PageAttention(const SoftmaxAttentionShape& shape, int kv_head,
                AttentionBlock& block)
      : shape_(shape),
        layout_(LayoutOf(shape)),
        kv_head_(kv_head),
        block_(block) {}

  // A page whose positions begin at `start`.
  void AddPage(const float* page, int start) {
    const int row = kv_head_ * kPageTokens;
    const auto* keys =
        reinterpret_cast<const Number*>(page + row * layout_.key_floats);
    const auto* values = reinterpret_cast<const Number*>(
        page + layout_.values + row * layout_.value_floats);
    Fetch(page + row * layout_.key_floats, kPageTokens * layout_.key_floats);
    Fetch(page + layout_.values + row * layout_.value_floats,
          kPageTokens * layout_.value_floats);
    int count[kAttentionRows];
    for (int r = 0; r < block_.rows; ++r) {
      count[r] = std::clamp(block_.length[r] - start, 0, kPageTokens);
    }
    ForEachTile<kTile>(block_.rows, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      Scores<kQueries>(count[r + kQueries - 1], keys, r);
    });
    for (int r = 0; r < block_.rows; ++r) {
      const int first = std::clamp(block_.first[r] - start, 0, kPageTokens);
      block_.Softmax(exp_, first, count[r], r);
    }
    ForEachTile<kTile>(block_.rows, [&](auto rows, int r) {
      constexpr int kQueries = decltype(rows)::value;
      Accumulate<kQueries>(count + r, values, r);
    });
  }

 private:
  // Rows that are multiplied together: with two keys, or two vectors of a
  // value, eight sums in flight and six loads for eight multiplications.
  static constexpr int kTile = 4;

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

  template <int kQueries>
  void Scores(int count, const Number* keys, int row) {
    int s = 0;
    for (; s + 2 <= count; s += 2) {
      Scores<kQueries, 2>(keys + s * shape_.key_dim, row, s);
    }
    if (s < count) Scores<kQueries, 1>(keys + s * shape_.key_dim, row, s);
  }

  // out[r] = out[r] * rescale[r] + sum_{s < count[r]} weight[r][s] values[s]
  // on 4 * kVectors columns, count ascending, for the rows from `row` on.
  template <int kQueries, int kVectors>
  void Accumulate(const int* count, const Number* values, int row, int column) {
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

  template <int kQueries>
  void Accumulate(const int* count, const Number* values, int row) {
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
};

}  // namespace fastweights
