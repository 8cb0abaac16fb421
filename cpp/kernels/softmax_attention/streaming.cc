// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "base/check.h"
#include "kernels/exp.h"
#include "kernels/simd.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {
namespace {

constexpr int kRows = kAttentionRows;
// Rows that are multiplied together: with two keys, or two vectors of a value,
// eight sums in flight and six loads for eight multiplications.
constexpr int kTile = 4;

// Queries that read one key/value head, and where each stands.
struct Block {
  int rows;
  const float* q[kRows];
  float* out[kRows];
  int first[kRows];   // position that it sees, ascending
  int length[kRows];  // one past the last, ascending
  float top[kRows];   // best score so far
  float total[kRows];
  float rescale[kRows];                          // of what came before a page
  alignas(16) float weight[kRows][kPageTokens];  // scores, then their softmax
};

// score[r][s + j] = q[r] . keys[j] * scale
template <int kQueries, int kKeys>
void Scores(int dim, const float* const* q, const float* keys, float scale,
            float (*score)[kPageTokens], int s) {
  F32x4 sum[kQueries][kKeys];
  for (auto& row : sum) {
    for (F32x4& x : row) x = Splat(0.0f);
  }
  for (int i = 0; i < dim; i += 4) {
    F32x4 k[kKeys];
    for (int j = 0; j < kKeys; ++j) k[j] = Load(keys + j * dim + i);
    for (int r = 0; r < kQueries; ++r) {
      const F32x4 x = Load(q[r] + i);
      for (int j = 0; j < kKeys; ++j) sum[r][j] = MulAdd(x, k[j], sum[r][j]);
    }
  }
  for (int r = 0; r < kQueries; ++r) {
    for (int j = 0; j < kKeys; ++j) score[r][s + j] = Sum(sum[r][j]) * scale;
  }
}

template <int kQueries>
void Scores(int count, int dim, const float* const* q, const float* keys,
            float scale, float (*score)[kPageTokens]) {
  int s = 0;
  for (; s + 2 <= count; s += 2) {
    Scores<kQueries, 2>(dim, q, keys + s * dim, scale, score, s);
  }
  if (s < count) {
    Scores<kQueries, 1>(dim, q, keys + s * dim, scale, score, s);
  }
}

// out[r] = out[r] * rescale[r] + sum_{s < count[r]} weight[r][s] values[s]
// on 4 * kVectors columns, count ascending.
template <int kQueries, int kVectors>
void Accumulate(const int* count, int dim, const float* rescale,
                const float (*weight)[kPageTokens], const float* values,
                float* const* out, int column) {
  F32x4 sum[kQueries][kVectors];
  for (int r = 0; r < kQueries; ++r) {
    for (int l = 0; l < kVectors; ++l) {
      sum[r][l] = Mul(Load(out[r] + column + 4 * l), Splat(rescale[r]));
    }
  }
  const auto add = [&](int r, int s) {
    const F32x4 w = Splat(weight[r][s]);
    for (int l = 0; l < kVectors; ++l) {
      sum[r][l] = MulAdd(w, Load(values + s * dim + column + 4 * l), sum[r][l]);
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
void Accumulate(const int* count, int dim, const float* rescale,
                const float (*weight)[kPageTokens], const float* values,
                float* const* out) {
  int column = 0;
  for (; column + 8 <= dim; column += 8) {
    Accumulate<kQueries, 2>(count, dim, rescale, weight, values, out, column);
  }
  if (column < dim) {
    Accumulate<kQueries, 1>(count, dim, rescale, weight, values, out, column);
  }
}

// Turns row r's scores [first, count) of a page into weights against the best
// score so far; those before the first are nothing.
void Softmax(const Exp& exp, int first, int count, int r, Block* block) {
  float* weight = block->weight[r];
  if (first >= count) {
    // There may be no best score yet.
    std::fill(weight, weight + kPageTokens, 0.0f);
    block->rescale[r] = 1.0f;
    return;
  }
  std::fill(weight, weight + first, -INFINITY);
  // A weight of exactly nothing past the end, and four at a time before it.
  std::fill(weight + count, weight + kPageTokens, -INFINITY);
  F32x4 tops = Splat(block->top[r]);
  for (int s = 0; s < kPageTokens; s += 4) tops = Max(tops, Load(weight + s));
  float lanes[4];
  Store(lanes, tops);
  const float top = *std::max_element(lanes, lanes + 4);
  block->rescale[r] = std::exp(block->top[r] - top);
  block->top[r] = top;
  F32x4 total = Splat(0.0f);
  for (int s = 0; s < count; s += 4) {
    const F32x4 w = exp(Sub(Load(weight + s), Splat(top)));
    Store(weight + s, w);
    if (s < first) std::fill(weight + s, weight + std::min(s + 4, first), 0.0f);
    if (s + 4 > count) {
      std::fill(weight + count, weight + s + 4, 0.0f);
    }
    total = Add(total, Load(weight + s));
  }
  block->total[r] = block->total[r] * block->rescale[r] + Sum(total);
}

// Calls tile(rows, row) for tiles of the block's rows, rows a constant.
template <typename F>
void ForEachTile(int rows, const F& tile) {
  int row = 0;
  for (; row + kTile <= rows; row += kTile) {
    tile(std::integral_constant<int, kTile>(), row);
  }
  for (; row < rows; ++row) tile(std::integral_constant<int, 1>(), row);
}

void Page(const SoftmaxAttentionShape& shape, const float* keys,
          const float* values, int start, const Exp& exp, Block* block) {
  int count[kRows];
  for (int r = 0; r < block->rows; ++r) {
    count[r] = std::clamp(block->length[r] - start, 0, kPageTokens);
  }
  ForEachTile(block->rows, [&](auto rows, int r) {
    constexpr int kQueries = decltype(rows)::value;
    Scores<kQueries>(count[r + kQueries - 1], shape.key_dim, block->q + r, keys,
                     shape.scale, block->weight + r);
  });
  for (int r = 0; r < block->rows; ++r) {
    const int first = std::clamp(block->first[r] - start, 0, kPageTokens);
    Softmax(exp, first, count[r], r, block);
  }
  ForEachTile(block->rows, [&](auto rows, int r) {
    constexpr int kQueries = decltype(rows)::value;
    Accumulate<kQueries>(count + r, shape.value_dim, block->rescale + r,
                         block->weight + r, values, block->out + r);
  });
}

}  // namespace

void AppendKeysAndValues(int first, int end, const SoftmaxAttentionShape& shape,
                         const SoftmaxAttentionArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  for (int t = first; t < end; ++t) {
    const int s = a.position + t;
    float* page = a.cache.pages[s / kPageTokens] + a.cache.offset;
    float* values = page + shape.kv_heads * kPageTokens * K;
    for (int h = 0; h < shape.kv_heads; ++h) {
      const int row = h * kPageTokens + s % kPageTokens;
      std::memcpy(page + row * K, a.k + (t * shape.kv_heads + h) * K,
                  sizeof(float) * K);
      std::memcpy(values + row * V, a.v + (t * shape.kv_heads + h) * V,
                  sizeof(float) * V);
    }
  }
}

void ClearKeysAndValues(int first, const SoftmaxAttentionShape& shape,
                        float* page) {
  float* values = page + shape.kv_heads * kPageTokens * shape.key_dim;
  const int count = kPageTokens - first;
  for (int h = 0; h < shape.kv_heads; ++h) {
    const int row = h * kPageTokens + first;
    std::fill_n(page + row * shape.key_dim, count * shape.key_dim, 0.0f);
    std::fill_n(values + row * shape.value_dim, count * shape.value_dim, 0.0f);
  }
}

void SoftmaxAttentionStreaming(const SoftmaxAttentionShape& shape,
                               const SoftmaxAttentionArgs& a, int kv_head,
                               int first, int end) {
  const int K = shape.key_dim, V = shape.value_dim;
  DCHECK(K % 4 == 0 && V % 4 == 0);
  DCHECK(shape.query_heads % shape.kv_heads == 0);
  DCHECK(first < end && end - first <= kRows);
  const int group = shape.query_heads / shape.kv_heads;
  Block block;
  block.rows = end - first;
  for (int r = 0; r < block.rows; ++r) {
    const int t = (first + r) / group;
    const int head = kv_head * group + (first + r) % group;
    block.q[r] = a.q + t * a.q_stride + head * a.q_head_stride;
    block.out[r] = a.out + (t * shape.query_heads + head) * V;
    block.first[r] = FirstSeen(shape, a.position + t);
    block.length[r] = a.position + t + 1;
    block.top[r] = -INFINITY;
    block.total[r] = 0.0f;
    std::fill_n(block.out[r], V, 0.0f);
  }
  const Exp exp;
  for (int start = block.first[0] / kPageTokens * kPageTokens;
       start < block.length[block.rows - 1]; start += kPageTokens) {
    const float* page = a.cache.pages[start / kPageTokens] + a.cache.offset;
    const float* values =
        page + kPageTokens * (shape.kv_heads * K + kv_head * V);
    Page(shape, page + kv_head * kPageTokens * K, values, start, exp, &block);
  }
  for (int r = 0; r < block.rows; ++r) {
    const F32x4 inverse = Splat(1.0f / block.total[r]);
    for (int i = 0; i < V; i += 4) {
      Store(block.out[r] + i, Mul(Load(block.out[r] + i), inverse));
    }
  }
}

}  // namespace fastweights
