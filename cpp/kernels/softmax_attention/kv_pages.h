// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// How keys and values are kept: as they are; as the upper halves of floats,
// rounded to nearest even; or each row, a head's key or value of one token, as
// codes of -127 to 127 with a scale of its own, its largest number's 127th
// part.
enum class KvType { kF32, kBf16, kInt8 };

inline constexpr int kPageTokens = 64;

// Pages that so many tokens take.
inline int KvPageCount(int tokens) {
  return (tokens + kPageTokens - 1) / kPageTokens;
}

// Floats' room that a row of numbers takes, its scale apart; dim is a multiple
// of 4.
inline int KvRowFloats(KvType type, int dim) {
  return type == KvType::kF32 ? dim : type == KvType::kBf16 ? dim / 2 : dim / 4;
}

// Where a layer's part of a page has what, in floats from its start: keys
// [kv_heads, kPageTokens, a row's floats], values likewise and, of kInt8, the
// scales of both [kv_heads, kPageTokens].
struct KvLayout {
  KvLayout(KvType kv_type, int kv_heads, int key_dim, int value_dim)
      : type(kv_type),
        key_floats(KvRowFloats(type, key_dim)),
        value_floats(KvRowFloats(type, value_dim)),
        values(kv_heads * kPageTokens * key_floats),
        key_scales(values + kv_heads * kPageTokens * value_floats),
        value_scales(key_scales +
                     (type == KvType::kInt8 ? kv_heads * kPageTokens : 0)),
        floats(value_scales + value_scales - key_scales) {}

  KvType type;
  int key_floats;    // of a row
  int value_floats;  // of a row
  int values;        // where they begin; keys do so at 0
  int key_scales;
  int value_scales;
  int floats;  // in all
};

// A row [dim] as it is kept, and its scale, which only kInt8 has: NaN where a
// number of the row is not finite.
void StoreKvRow(KvType type, int dim, const float* from, float* row,
                float* scale);

}  // namespace fastweights
