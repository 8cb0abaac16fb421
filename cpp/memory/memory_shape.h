// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

struct MemoryShape {
  int heads;      // that hold values
  int key_heads;  // divides heads; head j reads key head j / (heads /
                  // key_heads)
  int key_dim;
  int value_dim;
};

// What a token's numbers of one name, or the numbers of a setting, are.
enum class Extent {
  kOne,
  kHead,          // [heads]
  kKey,           // [key_heads, key_dim]
  kHeadKey,       // [heads, key_dim]
  kValue,         // [heads, value_dim]
  kKeyHeadValue,  // [key_heads, value_dim]
  kKeyKey,        // [key_heads, key_dim, key_dim]
  kValueKey,      // [heads, value_dim, key_dim]
};

// The same as rows of columns; columns that are a dimension may be padded.
struct Rows {
  int count, columns;
  bool padded;

  int floats() const { return count * columns; }
};

inline Rows RowsOf(Extent extent, const MemoryShape& shape) {
  switch (extent) {
    case Extent::kOne:
      return {1, 1, false};
    case Extent::kHead:
      return {1, shape.heads, false};
    case Extent::kKey:
      return {shape.key_heads, shape.key_dim, true};
    case Extent::kHeadKey:
      return {shape.heads, shape.key_dim, true};
    case Extent::kValue:
      return {shape.heads, shape.value_dim, true};
    case Extent::kKeyHeadValue:
      return {shape.key_heads, shape.value_dim, true};
    case Extent::kKeyKey:
      return {shape.key_heads * shape.key_dim, shape.key_dim, true};
    case Extent::kValueKey:
      return {shape.heads * shape.value_dim, shape.key_dim, true};
  }
  return {};
}

}  // namespace fastweights
