// SPDX-License-Identifier: MIT
#include "formats/self_check.h"

#include "formats/product_input.h"
#include "formats/tile_layout.h"
#include "formats/tile_product.h"

namespace fastweights {
namespace {

constexpr int kTokens = 5;  // a block of four, and one by itself
constexpr int kColumns = 256;
constexpr uint16_t kHalfOne = 0x3c00;

// Whole numbers spread over [-bound, bound].
int Spread(int i, int bound) { return i * 7919 % (2 * bound + 1) - bound; }

bool IsExact(const TileLayout& layout) {
  const int blocks = kColumns / layout.block;
  const int bound = layout.bits == 8 ? 127 : layout.zero_point - 1;
  BlockParts rows[kColumns / 32][kTileRows] = {};
  Buffer<uint8_t> tile =
      MakeBuffer<uint8_t>(static_cast<size_t>(blocks) * TileBlockBytes(layout));
  Buffer<float> x = MakeBuffer<float>(kTokens * kColumns);
  Workspace workspace;
  if (!tile || !x ||
      !workspace.Reserve(ProductInput::ScratchBytes(kTokens, kColumns),
                         TileScratchBytes(layout, kColumns))) {
    return false;
  }
  for (int b = 0; b < blocks; ++b) {
    for (int r = 0; r < kTileRows; ++r) {
      BlockParts& parts = rows[b][r];
      parts.scale = kHalfOne;
      for (int8_t& scale : parts.scales) scale = 1;
      for (int c = 0; c < layout.block; ++c) {
        parts.codes[c] = static_cast<int8_t>(
            Spread(r * kColumns + b * layout.block + c, bound));
      }
    }
    PackBlock(layout, rows[b],
              tile.get() + static_cast<size_t>(b) * TileBlockBytes(layout));
  }
  for (int i = 0; i < kTokens * kColumns; ++i) {
    // The largest of each group is 127, so that codes are the numbers.
    x[i] = static_cast<float>(i % 32 == 0 ? 127 : Spread(i, 127));
  }
  for (const int tokens : {kTokens, 1}) {
    const ArenaScope scope(workspace.arena());
    ProductInput input(tokens, kColumns, x.get(), workspace);
    float out[kTokens * kTileRows];
    TileProduct(layout, kTileRows, tile.get(), input, out, kTileRows);
    for (int t = 0; t < tokens; ++t) {
      for (int r = 0; r < kTileRows; ++r) {
        int sum = 0;
        for (int c = 0; c < kColumns; ++c) {
          sum += rows[c / layout.block][r].codes[c % layout.block] *
                 static_cast<int>(x[t * kColumns + c]);
        }
        if (out[t * kTileRows + r] != static_cast<float>(sum)) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool ProductsAreExact() {
  const auto layout = [](int bits, int group, int block, int zero_point) {
    return TileLayout{.bits = bits,
                      .group = group,
                      .offsets = false,
                      .block = block,
                      .zero_point = zero_point,
                      .levels = nullptr};
  };
  return IsExact(layout(4, 32, 32, 8)) && IsExact(layout(5, 32, 32, 16)) &&
         IsExact(layout(6, 16, 256, 32)) && IsExact(layout(8, 32, 32, 0));
}

}  // namespace fastweights
