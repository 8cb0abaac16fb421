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

// Positions, or columns of values, that lie side by side in a page.
inline constexpr int kPanel = 8;

// Where a layer's part of a page has what: one head after the other, and in
// floats from a head's start its keys and behind them its values, in the order
// in which attention reads them, as processors fetch ahead of what is read on
// and on. Both lie in panels, which products read front to back, all sums of a
// few queries growing at once: keys [kPageTokens / kPanel, key_dim, kPanel],
// positions innermost, and values [value_dim / kPanel, kPageTokens, kPanel],
// columns innermost; a last panel of four columns is as wide as that.
//
// Of kInt8 they are [kPageTokens / 4, key_dim / 4, 4, 4], four dims of four
// positions side by side, and [value_dim / kPanel, kPageTokens / 4, kPanel, 4],
// positions innermost: sixteen bytes are what a dot product takes. In front of
// them, [kPageTokens] each: the keys' scales and their codes' sums, kQueryZero
// times, as int32; and the values' scales.
struct KvLayout {
  constexpr KvLayout(KvType kv_type, int kv_heads, int key_dim, int value_dim)
      : type(kv_type),
        key_scales(0),
        key_sums(key_scales + Extra()),
        keys(key_sums + Extra()),
        value_scales(keys + RowsFloats(key_dim)),
        values(value_scales + Extra()),
        head(values + RowsFloats(value_dim)),
        floats(kv_heads * head) {}

  KvType type;
  // Where they begin.
  int key_scales;
  int key_sums;
  int keys;
  int value_scales;
  int values;
  int head;    // of one, in all
  int floats;  // of all

 private:
  constexpr int RowsFloats(int dim) const {
    return kPageTokens * (type == KvType::kF32    ? dim
                          : type == KvType::kBf16 ? dim / 2
                                                  : dim / 4);
  }
  constexpr int Extra() const {
    return type == KvType::kInt8 ? kPageTokens : 0;
  }
};

// Where number i of a position's key is in a head's, and of its value.
constexpr int KeyPlace(KvType type, int key_dim, int position, int i) {
  return type == KvType::kInt8 ? position / 4 * 4 * key_dim + i / 4 * 16 +
                                     position % 4 * 4 + i % 4
                               : position / kPanel * kPanel * key_dim +
                                     i * kPanel + position % kPanel;
}
constexpr int ValuePlace(KvType type, int value_dim, int position, int i) {
  const int column = i / kPanel * kPanel;
  const int width = value_dim - column < kPanel ? value_dim - column : kPanel;
  return column * kPageTokens +
         (type == KvType::kInt8
              ? position / 4 * 4 * width + (i - column) * 4 + position % 4
              : position * width + i - column);
}

// Queries that meet kInt8 are whole numbers up from zero: this stands for 0.
inline constexpr int kQueryZero = 1 << 13;

}  // namespace fastweights
