// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

void SoftmaxAttentionNaive(int tokens, const SoftmaxAttentionShape& shape,
                           const SoftmaxAttentionArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  const auto key = [&](int s, int head) {
    return a.cache.pages[s / kPageTokens] + a.cache.offset +
           (head * kPageTokens + s % kPageTokens) * K;
  };
  const auto value = [&](int s, int head) {
    return a.cache.pages[s / kPageTokens] + a.cache.offset +
           shape.kv_heads * kPageTokens * K +
           (head * kPageTokens + s % kPageTokens) * V;
  };
  for (int t = 0; t < tokens; ++t) {
    for (int h = 0; h < shape.kv_heads; ++h) {
      std::copy_n(a.k + (t * shape.kv_heads + h) * K, K,
                  key(a.position + t, h));
      std::copy_n(a.v + (t * shape.kv_heads + h) * V, V,
                  value(a.position + t, h));
    }
  }
  for (int t = 0; t < tokens; ++t) {
    for (int j = 0; j < shape.query_heads; ++j) {
      const int h = j / (shape.query_heads / shape.kv_heads);
      const float* q = a.q + t * a.q_stride + j * a.q_head_stride;
      const int length = a.position + t + 1;
      const int first = FirstSeen(shape, length - 1);
      std::vector<double> score(length);
      double top = -INFINITY;
      for (int s = first; s < length; ++s) {
        double dot = 0;
        for (int i = 0; i < K; ++i) dot += double{q[i]} * key(s, h)[i];
        score[s] = dot * shape.scale;
        top = std::max(top, score[s]);
      }
      double total = 0;
      for (int s = first; s < length; ++s) {
        total += score[s] = std::exp(score[s] - top);
      }
      for (int i = 0; i < V; ++i) {
        double o = 0;
        for (int s = 0; s < length; ++s) o += score[s] * value(s, h)[i];
        a.out[(t * shape.query_heads + j) * V + i] =
            static_cast<float>(o / total);
      }
    }
  }
}

}  // namespace fastweights
