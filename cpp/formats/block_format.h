// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "formats/block_linear.h"
#include "formats/tile_product.h"

namespace fastweights {

// The functions of a Format from a struct that knows one block: kBytes, kTile,
// Unpack(block, parts), IsFinite(block) and, where matrices are quantised to
// the type as they load, Quantise(x, block).
template <typename Block>
struct BlockFunctions {
  static constexpr TileFormat kTiles = {.layout = Block::kTile,
                                        .unpack = Block::Unpack,
                                        .product = TileProduct<Block>};

  static void DequantiseBlocks(const uint8_t* bytes, int count, float* out) {
    BlockParts parts;
    for (int i = 0; i < count; i += Block::kTile.block) {
      Block::Unpack(bytes, &parts);
      Dequantise(Block::kTile, parts, out + i);
      bytes += Block::kBytes;
    }
  }

  static bool AreFinite(const uint8_t* bytes, size_t count) {
    const size_t blocks = count / Block::kTile.block;
    for (size_t i = 0; i < blocks; ++i, bytes += Block::kBytes) {
      if (!Block::IsFinite(bytes)) return false;
    }
    return true;
  }

  static void QuantiseBlocks(const float* values, int count, uint8_t* bytes) {
    for (int i = 0; i < count; i += Block::kTile.block) {
      Block::Quantise(values + i, bytes);
      bytes += Block::kBytes;
    }
  }

  static std::unique_ptr<Linear> MakeLinear(const Format& format, int rows,
                                            int columns) {
    return std::make_unique<BlockLinear>(format, rows, columns);
  }
};

template <typename Block>
constexpr Format BlockFormat(int type, const char* name) {
  using Functions = BlockFunctions<Block>;
  void (*quantise)(const float*, int, uint8_t*) = nullptr;
  if constexpr (requires { Block::Quantise; }) {
    quantise = Functions::QuantiseBlocks;
  }
  return {
      .type = type,
      .name = name,
      .block = Block::kTile.block,
      .block_bytes = Block::kBytes,
      .dequantise = Functions::DequantiseBlocks,
      .are_finite = Functions::AreFinite,
      .quantise = quantise,
      .make_linear = Functions::MakeLinear,
      .tiles = &Functions::kTiles,
  };
}

}  // namespace fastweights
