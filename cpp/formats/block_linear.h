// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "formats/format.h"

namespace fastweights {

// What block-quantised types have in common: integer codes in groups of 16 or
// 32 columns that share a scale and, in some types, an offset:
//   w[c] = scale[c / group] * codes[c] + offset[c / group]
struct BlockLayout {
  int group;     // columns to a scale, 16 or 32; 32 where there are offsets
  bool offsets;  // whether the type has them
  // One row of `columns` weights: codes [columns], scale [columns / group],
  // offset likewise (null where the type has none).
  void (*unpack)(const uint8_t* row, int columns, int8_t* codes, float* scale,
                 float* offset);
};

// A matrix of block-quantised weights, kept as in the file. A product unpacks
// a few rows to int8 at a time and meets them with the quantised input.
class BlockLinear final : public Linear {
 public:
  BlockLinear(const Format& format, const BlockLayout& layout, int rows,
              int columns)
      : Linear(rows, columns), layout_(layout), store_(format, rows, columns) {}

  size_t bytes() const override { return store_.bytes(); }
  bool Append(int rows, const uint8_t* bytes) override {
    return store_.Append(rows, bytes);
  }
  void Multiply(ProductInput& x, float* out, int out_stride) override;
  size_t ScratchBytes() const override;
  bool can_gather() const override { return true; }
  void Gather(int row, float* out) const override { store_.Gather(row, out); }

 private:
  const BlockLayout& layout_;
  RowStore store_;
};

// The functions of a Format from a struct that knows one block: kColumns,
// kBytes, kGroup, kOffsets, and Unpack(block, codes, scale, offset).
template <typename Block>
struct BlockFunctions {
  static constexpr int kGroups = Block::kColumns / Block::kGroup;

  static void UnpackRow(const uint8_t* row, int columns, int8_t* codes,
                        float* scale, float* offset) {
    for (int c = 0; c < columns; c += Block::kColumns) {
      Block::Unpack(row, codes + c, scale, offset);
      row += Block::kBytes;
      scale += kGroups;
      if constexpr (Block::kOffsets) offset += kGroups;
    }
  }

  static void Dequantise(const uint8_t* bytes, int count, float* out) {
    int8_t codes[Block::kColumns];
    float scale[kGroups], offset[kGroups] = {};
    for (int i = 0; i < count; i += Block::kColumns, bytes += Block::kBytes) {
      Block::Unpack(bytes, codes, scale, offset);
      for (int c = 0; c < Block::kColumns; ++c) {
        const int g = c / Block::kGroup;
        out[i + c] = scale[g] * static_cast<float>(codes[c]) + offset[g];
      }
    }
  }

  static std::unique_ptr<Linear> MakeLinear(const Format& format, int rows,
                                            int columns) {
    static constexpr BlockLayout kLayout = {Block::kGroup, Block::kOffsets,
                                            UnpackRow};
    return std::make_unique<BlockLinear>(format, kLayout, rows, columns);
  }
};

template <typename Block>
constexpr Format BlockFormat(int type, const char* name) {
  return {
      .type = type,
      .name = name,
      .block = Block::kColumns,
      .block_bytes = Block::kBytes,
      .dequantise = BlockFunctions<Block>::Dequantise,
      .make_linear = BlockFunctions<Block>::MakeLinear,
  };
}

}  // namespace fastweights
