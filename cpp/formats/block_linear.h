// SPDX-License-Identifier: MIT
#pragma once

#include "formats/format.h"
#include "formats/tile_layout.h"

namespace fastweights {

// A matrix of block-quantised weights, repacked as it arrives; nothing of them
// is rounded.
class BlockLinear final : public Linear {
 public:
  // Of a format with tiles.
  BlockLinear(const Format& format, int rows, int columns)
      : Linear(rows, columns),
        format_(format),
        tile_format_(*format.tiles),
        layout_(format.tiles->layout) {}

  uint64_t bytes() const override;
  size_t ThreadScratchBytes() const override;
  void Gather(int row, float* out) const override;
  int input_group() const override { return InputGroup(layout_); }
  ProductParts Parts(const MatrixProduct& product,
                     ProductInput& x) const override;
  bool AddPacked(PackedParts* parts) override;
  void FinishPacked() override { filled_ = rows(); }

 protected:
  bool Take(int rows, const uint8_t* bytes, Threads& threads) override;

 private:
  int blocks() const { return columns() / layout_.block; }
  size_t TileBytes() const {
    return static_cast<size_t>(blocks()) * TileBlockBytes(layout_);
  }
  bool Reserve();
  // Packs kTileRows rows of the file as tile `tile`.
  void PackTile(const uint8_t* rows, int tile);

  const Format& format_;
  const TileFormat& tile_format_;
  const TileLayout& layout_;
  Buffer<uint8_t> tiles_;
  int filled_ = 0;           // rows taken so far
  Buffer<uint8_t> pending_;  // [kTileRows] rows of a tile that came in parts
};

}  // namespace fastweights
