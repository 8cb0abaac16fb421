// SPDX-License-Identifier: MIT
#include "kernels/softmax_attention/kv_pages.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/simd.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {
namespace {

// NaN stays one, whatever its bits.
uint16_t Bfloat(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fc0;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void StoreInt8(int dim, const float* from, int8_t* to, float* scale) {
  F32x4 largest = Splat(0.0f), nothing = Splat(0.0f);
  for (int i = 0; i < dim; i += 4) {
    const F32x4 x = Load(from + i);
    largest = Max(largest, Abs(x));
    nothing = MulAdd(x, Splat(0.0f), nothing);
  }
  float lanes[4];
  Store(lanes, largest);
  *scale = *std::max_element(lanes, lanes + 4) / 127 + Sum(nothing);
  // Nothing but zeros, or numbers whose scale has no inverse.
  const float inverse = *scale < 0x1p-126f ? 0.0f : 1 / *scale;
  // Rounded up, it may bring the largest number a little above 127.
  const F32x4 times = Splat(inverse), most = Splat(127.0f);
  const F32x4 least = Splat(-127.0f);
  for (int i = 0; i < dim; i += 4) {
    const F32x4 x = Max(Min(Mul(Load(from + i), times), most), least);
    int8_t codes[16];
    StoreNearestI8(codes, x, x, x, x);
    std::memcpy(to + i, codes, 4);
  }
}

}  // namespace

void StoreKvRow(KvType type, int dim, const float* from, float* row,
                float* scale) {
  switch (type) {
    case KvType::kF32:
      std::memcpy(row, from, sizeof(float) * dim);
      return;
    case KvType::kBf16: {
      auto* halves = reinterpret_cast<uint16_t*>(row);
      for (int i = 0; i < dim; ++i) halves[i] = Bfloat(from[i]);
      return;
    }
    case KvType::kInt8:
      StoreInt8(dim, from, reinterpret_cast<int8_t*>(row), scale);
  }
}

void AppendKeysAndValues(int first, int end, const SoftmaxAttentionShape& shape,
                         const SoftmaxAttentionArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  const KvLayout layout = LayoutOf(shape);
  for (int t = first; t < end; ++t) {
    const int s = a.position + t;
    float* page = a.cache.pages[s / kPageTokens] + a.cache.offset;
    for (int h = 0; h < shape.kv_heads; ++h) {
      const int row = h * kPageTokens + s % kPageTokens;
      StoreKvRow(layout.type, K, a.k + (t * shape.kv_heads + h) * K,
                 page + row * layout.key_floats,
                 page + layout.key_scales + row);
      StoreKvRow(layout.type, V, a.v + (t * shape.kv_heads + h) * V,
                 page + layout.values + row * layout.value_floats,
                 page + layout.value_scales + row);
    }
  }
}

void ClearKeysAndValues(int first, const SoftmaxAttentionShape& shape,
                        float* page) {
  const KvLayout layout = LayoutOf(shape);
  const auto clear = [&](float* rows, int floats) {
    for (int h = 0; h < shape.kv_heads; ++h) {
      std::fill_n(rows + (h * kPageTokens + first) * floats,
                  (kPageTokens - first) * floats, 0.0f);
    }
  };
  clear(page, layout.key_floats);
  clear(page + layout.values, layout.value_floats);
  if (layout.type != KvType::kInt8) return;
  clear(page + layout.key_scales, 1);
  clear(page + layout.value_scales, 1);
}

}  // namespace fastweights
