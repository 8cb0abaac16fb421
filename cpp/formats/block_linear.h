// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "formats/format.h"
#include "formats/tile_layout.h"

namespace fastweights {

// A matrix of block-quantised weights, repacked as it arrives; nothing of them
// is rounded.
class BlockLinear final : public Linear {
 public:
  using Unpack = void (*)(const uint8_t* block, BlockParts* parts);

  BlockLinear(const Format& format, const TileLayout& layout, Unpack unpack,
              int rows, int columns)
      : Linear(rows, columns),
        format_(format),
        layout_(layout),
        unpack_(unpack) {}

  uint64_t bytes() const override;
  bool Append(int rows, const uint8_t* bytes) override;
  size_t ThreadScratchBytes() const override;
  void Gather(int row, float* out) const override;

 protected:
  void Product(ProductInput& x, float* out, int out_stride) override;

 private:
  int blocks() const { return columns() / layout_.block; }
  size_t TileBytes() const {
    return static_cast<size_t>(blocks()) * TileBlockBytes(layout_);
  }
  void PackPending();

  const Format& format_;
  const TileLayout& layout_;
  Unpack unpack_;
  Buffer<uint8_t> tiles_;
  int filled_ = 0;           // rows taken so far
  Buffer<uint8_t> pending_;  // [kTileRows] rows of the tile being filled
};

// The functions of a Format from a struct that knows one block: kBytes, kTile
// and Unpack(block, parts).
template <typename Block>
struct BlockFunctions {
  static void DequantiseBlocks(const uint8_t* bytes, int count, float* out) {
    BlockParts parts;
    for (int i = 0; i < count; i += Block::kTile.block) {
      Block::Unpack(bytes, &parts);
      Dequantise(Block::kTile, parts, out + i);
      bytes += Block::kBytes;
    }
  }

  static std::unique_ptr<Linear> MakeLinear(const Format& format, int rows,
                                            int columns) {
    return std::make_unique<BlockLinear>(format, Block::kTile, Block::Unpack,
                                         rows, columns);
  }
};

template <typename Block>
constexpr Format BlockFormat(int type, const char* name) {
  return {
      .type = type,
      .name = name,
      .block = Block::kTile.block,
      .block_bytes = Block::kBytes,
      .dequantise = BlockFunctions<Block>::DequantiseBlocks,
      .make_linear = BlockFunctions<Block>::MakeLinear,
      .tiles = &Block::kTile,
  };
}

}  // namespace fastweights
