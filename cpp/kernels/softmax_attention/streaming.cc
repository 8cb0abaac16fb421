// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "kernels/exp.h"
#include "kernels/simd.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {
namespace {

// score[s] = q . keys[s] * scale for the first `count` keys of a page, four
// keys at a time so that q is loaded once for them.
void Scores(int count, int dim, const float* q, const float* keys, float scale,
            float* score) {
  int s = 0;
  for (; s + 4 <= count; s += 4) {
    const float* k = keys + s * dim;
    F32x4 sum[4];
    for (F32x4& x : sum) x = Splat(0.0f);
    for (int i = 0; i < dim; i += 4) {
      const F32x4 qi = Load(q + i);
      for (int j = 0; j < 4; ++j) {
        sum[j] = MulAdd(qi, Load(k + j * dim + i), sum[j]);
      }
    }
    for (int j = 0; j < 4; ++j) score[s + j] = Sum(sum[j]) * scale;
  }
  for (; s < count; ++s) {
    F32x4 sum = Splat(0.0f);
    for (int i = 0; i < dim; i += 4) {
      sum = MulAdd(Load(q + i), Load(keys + s * dim + i), sum);
    }
    score[s] = Sum(sum) * scale;
  }
}

// out = out * rescale + sum_s weight[s] values[s]
void Accumulate(int count, int dim, const float* weight, const float* values,
                float rescale, float* out) {
  for (int i = 0; i < dim; i += 4) {
    F32x4 sum = Mul(Load(out + i), Splat(rescale));
    for (int s = 0; s < count; ++s) {
      sum = MulAdd(Splat(weight[s]), Load(values + s * dim + i), sum);
    }
    Store(out + i, sum);
  }
}

// One query against the first `length` cached positions.
void Attend(int length, const SoftmaxAttentionShape& shape,
            const SoftmaxAttentionArgs& a, int kv_head, const float* q,
            float* out) {
  const int K = shape.key_dim, V = shape.value_dim;
  const Exp exp;
  float top = -INFINITY, total = 0;
  std::fill_n(out, V, 0.0f);
  for (int start = 0; start < length; start += kPageTokens) {
    const int count = std::min(kPageTokens, length - start);
    const float* page = a.cache.pages[start / kPageTokens] + a.cache.offset;
    const float* keys = page + kv_head * kPageTokens * K;
    const float* values =
        page + kPageTokens * (shape.kv_heads * K + kv_head * V);
    // Past `count` the scores are so low that their weight is nothing.
    alignas(16) float weight[kPageTokens];
    std::fill(weight, weight + kPageTokens, -INFINITY);
    Scores(count, K, q, keys, shape.scale, weight);
    const float new_top =
        std::max(top, *std::max_element(weight, weight + count));
    const float rescale = std::exp(top - new_top);
    total *= rescale;
    for (int s = 0; s < count; s += 4) {
      Store(weight + s, exp(Sub(Load(weight + s), Splat(new_top))));
    }
    for (int s = 0; s < count; ++s) total += weight[s];
    Accumulate(count, V, weight, values, rescale, out);
    top = new_top;
  }
  const F32x4 inverse = Splat(1.0f / total);
  for (int i = 0; i < V; i += 4) Store(out + i, Mul(Load(out + i), inverse));
}

}  // namespace

void SoftmaxAttentionStreaming(int tokens, const SoftmaxAttentionShape& shape,
                               const SoftmaxAttentionArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  DCHECK(K % 4 == 0 && V % 4 == 0);
  DCHECK(shape.query_heads % shape.kv_heads == 0);
  for (int t = 0; t < tokens; ++t) {
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
  const int group = shape.query_heads / shape.kv_heads;
  for (int t = 0; t < tokens; ++t) {
    for (int j = 0; j < shape.query_heads; ++j) {
      Attend(a.position + t + 1, shape, a, j / group,
             a.q + t * a.q_stride + j * K,
             a.out + (t * shape.query_heads + j) * V);
    }
  }
}

}  // namespace fastweights
