// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

namespace {

// Number i of a position's key or value of `dim`, as a head has it in a page.
double NumberOf(const KvLayout& layout, const float* head, bool is_key, int dim,
                int position, int i) {
  const int place = is_key ? KeyPlace(layout.type, dim, position, i)
                           : ValuePlace(layout.type, dim, position, i);
  const float* rows = head + (is_key ? layout.keys : layout.values);
  const auto* bytes = reinterpret_cast<const uint8_t*>(rows);
  switch (layout.type) {
    case KvType::kF32:
      return rows[place];
    case KvType::kBf16: {
      const uint8_t* at = bytes + 2 * place;
      return std::bit_cast<float>(uint32_t{at[0]} << 16 | uint32_t{at[1]}
                                                              << 24);
    }
    case KvType::kInt8: {
      const auto code = static_cast<int8_t>(bytes[place]);
      return double{head[(is_key ? layout.key_scales : layout.value_scales) +
                         position]} *
             code;
    }
  }
  return NAN;
}

}  // namespace

void SoftmaxAttentionNaive(int tokens, const SoftmaxAttentionShape& shape,
                           const SoftmaxAttentionArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  const KvLayout layout = LayoutOf(shape);
  AppendKeysAndValues(0, tokens, shape, a);
  const auto number = [&](int s, int head, bool is_key, int i) {
    const float* page = a.cache.pages[s / kPageTokens] + a.cache.offset;
    return NumberOf(layout, page + head * layout.head, is_key, is_key ? K : V,
                    s % kPageTokens, i);
  };
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
        for (int i = 0; i < K; ++i) dot += q[i] * number(s, h, true, i);
        score[s] = dot * shape.scale;
        top = std::max(top, score[s]);
      }
      double total = 0;
      for (int s = first; s < length; ++s) {
        total += score[s] = std::exp(score[s] - top);
      }
      for (int i = 0; i < V; ++i) {
        double o = 0;
        for (int s = first; s < length; ++s) {
          o += score[s] * number(s, h, false, i);
        }
        a.out[(t * shape.query_heads + j) * V + i] =
            static_cast<float>(o / total);
      }
    }
  }
}

}  // namespace fastweights
