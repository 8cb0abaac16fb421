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

// A position's key and value of a head.
class Row {
 public:
  Row(const SoftmaxAttentionShape& shape, float* page, int head, int position)
      : type_(shape.kv_type),
        K_(shape.key_dim),
        V_(shape.value_dim),
        layout_(LayoutOf(shape)),
        head_(page + head * layout_.head),
        keys_(head_ + layout_.keys),
        values_(head_ + layout_.values),
        position_(position) {}

  void Store(const float* key, const float* value) {
    if (type_ == KvType::kInt8) return StoreInt8(key, value);
    for (int i = 0; i < K_; ++i) Put(keys_, KeyPlace(i), key[i]);
    for (int i = 0; i < V_; ++i) Put(values_, ValuePlace(i), value[i]);
  }

  void Clear() {
    if (type_ == KvType::kInt8) return ClearInt8();
    for (int i = 0; i < K_; ++i) Put(keys_, KeyPlace(i), 0);
    for (int i = 0; i < V_; ++i) Put(values_, ValuePlace(i), 0);
  }

 private:
  int KeyPlace(int i) const {
    return fastweights::KeyPlace(type_, K_, position_, i);
  }
  int ValuePlace(int i) const {
    return fastweights::ValuePlace(type_, V_, position_, i);
  }

  void Put(float* rows, int place, float x) {
    if (type_ == KvType::kBf16) {
      reinterpret_cast<uint16_t*>(rows)[place] = Bfloat(x);
    } else {
      rows[place] = x;
    }
  }

  void StoreInt8(const float* key, const float* value) {
    auto* keys = reinterpret_cast<int8_t*>(keys_);
    auto* values = reinterpret_cast<int8_t*>(values_);
    int32_t sum = 0;
    head_[layout_.key_scales + position_] =
        Quantise(K_, key, [&](int i, const int8_t* codes) {
          std::memcpy(keys + KeyPlace(i), codes, 4);
          for (int j = 0; j < 4; ++j) sum += codes[j];
        });
    sum *= kQueryZero;
    std::memcpy(head_ + layout_.key_sums + position_, &sum, sizeof(sum));
    head_[layout_.value_scales + position_] =
        Quantise(V_, value, [&](int i, const int8_t* codes) {
          int8_t* to = values + ValuePlace(i);
          for (int j = 0; j < 4; ++j) to[4 * j] = codes[j];
        });
  }

  void ClearInt8() {
    auto* keys = reinterpret_cast<int8_t*>(keys_);
    auto* values = reinterpret_cast<int8_t*>(values_);
    for (int i = 0; i < K_; ++i) keys[KeyPlace(i)] = 0;
    for (int i = 0; i < V_; ++i) values[ValuePlace(i)] = 0;
    for (const int at :
         {layout_.key_scales, layout_.key_sums, layout_.value_scales}) {
      head_[at + position_] = 0;
    }
  }

  KvType type_;
  int K_, V_;
  const KvLayout layout_;
  float* head_;
  float* keys_;
  float* values_;
  int position_;
};

}  // namespace

void AppendKeysAndValues(int first, int end, const SoftmaxAttentionShape& shape,
                         const SoftmaxAttentionArgs& a) {
  const int K = shape.key_dim, V = shape.value_dim;
  for (int t = first; t < end; ++t) {
    const int position = (a.position + t) % kPageTokens;
    float* page =
        a.cache.pages[(a.position + t) / kPageTokens] + a.cache.offset;
    for (int h = 0; h < shape.kv_heads; ++h) {
      Row(shape, page, h, position)
          .Store(a.k + (t * shape.kv_heads + h) * K,
                 a.v + (t * shape.kv_heads + h) * V);
    }
  }
}

void ClearKeysAndValues(int first, const SoftmaxAttentionShape& shape,
                        float* page) {
  for (int h = 0; h < shape.kv_heads; ++h) {
    for (int s = first; s < kPageTokens; ++s) Row(shape, page, h, s).Clear();
  }
}

}  // namespace fastweights
