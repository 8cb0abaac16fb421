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

// Where a layer's part of a page has what, in floats from its start: keys
// [kv_heads, kPageTokens, key_dim] and values likewise, a row after the other.
//
// Of kInt8 they are [kv_heads, kPageTokens / 4, key_dim / 4, 4, 4], four
// dims of four positions side by side, and [kv_heads, kPageTokens / 4,
// value_dim, 4], positions innermost: sixteen bytes are what a dot product
// takes. Behind them, [kv_heads, kPageTokens] each: the keys' scales; their
// codes' sums, kQueryZero times, as int32; the values' scales.
struct KvLayout {
  constexpr KvLayout(KvType kv_type, int kv_heads, int key_dim, int value_dim)
      : type(kv_type),
        key_floats(RowFloats(key_dim)),
        value_floats(RowFloats(value_dim)),
        values(kv_heads * kPageTokens * key_floats),
        key_scales(values + kv_heads * kPageTokens * value_floats),
        key_sums(key_scales + extra(kv_heads)),
        value_scales(key_sums + extra(kv_heads)),
        floats(value_scales + extra(kv_heads)) {}

  KvType type;
  int key_floats;    // of a row
  int value_floats;  // of a row
  int values;        // where they begin; keys do so at 0
  int key_scales;
  int key_sums;
  int value_scales;
  int floats;  // in all

 private:
  constexpr int RowFloats(int dim) const {
    return type == KvType::kF32    ? dim
           : type == KvType::kBf16 ? dim / 2
                                   : dim / 4;
  }
  constexpr int extra(int kv_heads) const {
    return type == KvType::kInt8 ? kv_heads * kPageTokens : 0;
  }
};

// Queries that meet kInt8 are whole numbers up from zero: this stands for 0.
inline constexpr int kQueryZero = 1 << 13;

}  // namespace fastweights
