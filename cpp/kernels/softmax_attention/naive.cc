// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

namespace {

// A row as it is kept, in numbers.
std::vector<double> Numbers(KvType type, int dim, const float* row,
                            float scale) {
  std::vector<double> numbers(dim);
  const auto* bytes = reinterpret_cast<const uint8_t*>(row);
  for (int i = 0; i < dim; ++i) {
    switch (type) {
      case KvType::kF32:
        numbers[i] = row[i];
        break;
      case KvType::kBf16: {
        const uint32_t bits = bytes[2 * i] << 16 | bytes[2 * i + 1] << 24;
        numbers[i] = std::bit_cast<float>(bits);
        break;
      }
      case KvType::kInt8:
        numbers[i] = double{scale} * static_cast<int8_t>(bytes[i]);
    }
  }
  return numbers;
}

}  // namespace

void SoftmaxAttentionNaive(int tokens, const SoftmaxAttentionShape& shape,
                           const SoftmaxAttentionArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  const KvLayout layout = LayoutOf(shape);
  AppendKeysAndValues(0, tokens, shape, a);
  const auto numbers = [&](int s, int head, bool is_key) {
    const float* page = a.cache.pages[s / kPageTokens] + a.cache.offset;
    const int row = head * kPageTokens + s % kPageTokens;
    const bool scaled = layout.type == KvType::kInt8;
    return is_key ? Numbers(layout.type, K, page + row * layout.key_floats,
                            scaled ? page[layout.key_scales + row] : 1)
                  : Numbers(layout.type, V,
                            page + layout.values + row * layout.value_floats,
                            scaled ? page[layout.value_scales + row] : 1);
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
        const std::vector<double> key = numbers(s, h, true);
        double dot = 0;
        for (int i = 0; i < K; ++i) dot += q[i] * key[i];
        score[s] = dot * shape.scale;
        top = std::max(top, score[s]);
      }
      double total = 0;
      for (int s = first; s < length; ++s) {
        total += score[s] = std::exp(score[s] - top);
      }
      std::vector<double> o(V);
      for (int s = first; s < length; ++s) {
        const std::vector<double> value = numbers(s, h, false);
        for (int i = 0; i < V; ++i) o[i] += score[s] * value[i];
      }
      for (int i = 0; i < V; ++i) {
        a.out[(t * shape.query_heads + j) * V + i] =
            static_cast<float>(o[i] / total);
      }
    }
  }
}

}  // namespace fastweights
