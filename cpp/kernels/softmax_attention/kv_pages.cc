// SPDX-License-Identifier: MIT
#include "kernels/softmax_attention/kv_pages.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/simd.h"
#include "kernels/softmax_attention/largest.h"
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

// Copies a row [dim] into row `row` of one of kF32 or kBf16.
void StoreRow(KvType type, int dim, const float* from, int row, float* rows) {
  if (type == KvType::kF32) {
    std::memcpy(rows + row * dim, from, sizeof(float) * dim);
    return;
  }
  uint16_t* to = reinterpret_cast<uint16_t*>(rows) + row * dim;
  for (int i = 0; i < dim; ++i) to[i] = Bfloat(from[i]);
}

// Calls put(i, codes) for each four of a row [dim]; returns its scale, NaN
// where a number is not finite.
template <typename Put>
float Quantise(int dim, const float* from, const Put& put) {
  const float scale = LargestMagnitude(dim, from) / 127;
  // Nothing but zeros, or numbers whose scale has no inverse.
  const F32x4 inverse = Splat(scale >= 0x1p-126f ? 1 / scale : 0.0f);
  const F32x4 most = Splat(127.0f), least = Splat(-127.0f);
  for (int i = 0; i < dim; i += 4) {
    // A scale that was rounded down brings the largest a little above 127.
    const F32x4 x = Max(Min(Mul(Load(from + i), inverse), most), least);
    int8_t codes[16];
    StoreNearestI8(codes, x, x, x, x);
    put(i, codes);
  }
  return scale;
}

// A position's key and value, of kInt8.
class Int8Row {
 public:
  Int8Row(const KvLayout& layout, float* page, int head, int position)
      : layout_(layout), page_(page), row_(head * kPageTokens + position) {}

  void StoreKey(int dim, const float* from) {
    int8_t* at = Group(0, dim) + row_ % 4 * 4;
    int32_t sum = 0;
    page_[layout_.key_scales + row_] =
        Quantise(dim, from, [&](int i, const int8_t* codes) {
          std::memcpy(at + 4 * i, codes, 4);
          for (int j = 0; j < 4; ++j) sum += codes[j];
        });
    sum *= kQueryZero;
    std::memcpy(page_ + layout_.key_sums + row_, &sum, sizeof(sum));
  }

  void StoreValue(int dim, const float* from) {
    int8_t* at = Group(layout_.values, dim) + row_ % 4;
    page_[layout_.value_scales + row_] =
        Quantise(dim, from, [&](int i, const int8_t* codes) {
          for (int j = 0; j < 4; ++j) at[4 * (i + j)] = codes[j];
        });
  }

  void Clear(int key_dim, int value_dim) {
    int8_t* key = Group(0, key_dim) + row_ % 4 * 4;
    for (int i = 0; i < key_dim; i += 4) std::memset(key + 4 * i, 0, 4);
    int8_t* value = Group(layout_.values, value_dim) + row_ % 4;
    for (int i = 0; i < value_dim; ++i) value[4 * i] = 0;
    for (const int at :
         {layout_.key_scales, layout_.key_sums, layout_.value_scales}) {
      page_[at + row_] = 0;
    }
  }

 private:
  // Of four positions, to which it belongs.
  int8_t* Group(int rows, int dim) {
    return reinterpret_cast<int8_t*>(page_ + rows) + row_ / 4 * 4 * dim;
  }

  const KvLayout& layout_;
  float* page_;
  int row_;
};

}  // namespace

void AppendKeysAndValues(int first, int end, const SoftmaxAttentionShape& shape,
                         const SoftmaxAttentionArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  const KvLayout layout = LayoutOf(shape);
  for (int t = first; t < end; ++t) {
    const int position = (a.position + t) % kPageTokens;
    float* page =
        a.cache.pages[(a.position + t) / kPageTokens] + a.cache.offset;
    for (int h = 0; h < shape.kv_heads; ++h) {
      const float* k = a.k + (t * shape.kv_heads + h) * K;
      const float* v = a.v + (t * shape.kv_heads + h) * V;
      if (layout.type == KvType::kInt8) {
        Int8Row row(layout, page, h, position);
        row.StoreKey(K, k);
        row.StoreValue(V, v);
      } else {
        const int row = h * kPageTokens + position;
        StoreRow(layout.type, K, k, row, page);
        StoreRow(layout.type, V, v, row, page + layout.values);
      }
    }
  }
}

void ClearKeysAndValues(int first, const SoftmaxAttentionShape& shape,
                        float* page) {
  const KvLayout layout = LayoutOf(shape);
  const int count = kPageTokens - first;
  for (int h = 0; h < shape.kv_heads; ++h) {
    if (layout.type == KvType::kInt8) {
      for (int s = first; s < kPageTokens; ++s) {
        Int8Row(layout, page, h, s).Clear(shape.key_dim, shape.value_dim);
      }
      continue;
    }
    const int row = h * kPageTokens + first;
    std::fill_n(page + row * layout.key_floats, count * layout.key_floats,
                0.0f);
    std::fill_n(page + layout.values + row * layout.value_floats,
                count * layout.value_floats, 0.0f);
  }
}

}  // namespace fastweights
