// SPDX-License-Identifier: MIT
#include "formats/block_linear.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "formats/tile_scratch.h"

namespace fastweights {

uint64_t BlockLinear::bytes() const {
  return static_cast<uint64_t>((rows() + kTileRows - 1) / kTileRows) *
         TileBytes();
}

size_t BlockLinear::ThreadScratchBytes() const {
  return TileScratchBytes(layout_, columns());
}

bool BlockLinear::Reserve() {
  if (!tiles_) tiles_ = MakeBuffer<uint8_t>(bytes());
  return tiles_ != nullptr;
}

bool BlockLinear::AddPacked(PackedParts* parts) {
  if (!Reserve()) return false;
  parts->emplace_back(tiles_.get(), static_cast<size_t>(bytes()));
  return true;
}

bool BlockLinear::Take(int rows, const uint8_t* bytes, Threads& threads) {
  CHECK(rows <= this->rows() - filled_);
  const size_t row_bytes = format_.RowBytes(columns());
  if (!Reserve()) return false;
  while (rows > 0) {
    const int row = filled_ % kTileRows, tile = filled_ / kTileRows;
    int count = rows / kTileRows * kTileRows;
    if (row == 0 && count > 0) {
      constexpr int kTilesAtOnce = 8;
      ForRanges(threads, count / kTileRows, kTilesAtOnce,
                [&](int from, int to) {
                  for (int i = from; i < to; ++i) {
                    PackTile(bytes + i * kTileRows * row_bytes, tile + i);
                  }
                });
    } else {
      if (!pending_) pending_ = MakeBuffer<uint8_t>(kTileRows * row_bytes);
      if (!pending_) return false;
      count = std::min(rows, kTileRows - row);
      // Of a last tile that is not full, the rest must be numbers.
      if (row == 0) std::memset(pending_.get(), 0, kTileRows * row_bytes);
      std::memcpy(pending_.get() + row * row_bytes, bytes, count * row_bytes);
      if (row + count == kTileRows || filled_ + count == this->rows()) {
        PackTile(pending_.get(), tile);
      }
    }
    filled_ += count;
    rows -= count;
    bytes += count * row_bytes;
  }
  if (filled_ == this->rows()) pending_.reset();
  return true;
}

void BlockLinear::PackTile(const uint8_t* rows, int tile) {
  const size_t row_bytes = format_.RowBytes(columns());
  uint8_t* to = tiles_.get() + static_cast<size_t>(tile) * TileBytes();
  BlockParts parts[kTileRows];
  for (int b = 0; b < blocks(); ++b, to += TileBlockBytes(layout_)) {
    for (int r = 0; r < kTileRows; ++r) {
      tile_format_.unpack(rows + r * row_bytes + b * format_.block_bytes,
                          &parts[r]);
    }
    PackBlock(layout_, parts, to);
  }
}

ProductParts BlockLinear::Parts(const MatrixProduct& product,
                                ProductInput& x) const {
  DCHECK(filled_ == rows() && x.columns() == columns());
  return tile_format_.product(product.rows, tiles_.get(), x, product.out,
                              product.out_stride);
}

void BlockLinear::Gather(int row, float* out) const {
  DCHECK(row >= 0 && row < filled_);
  const uint8_t* tile =
      tiles_.get() + static_cast<size_t>(row / kTileRows) * TileBytes();
  BlockParts parts;
  for (int b = 0; b < blocks(); ++b, tile += TileBlockBytes(layout_)) {
    UnpackRow(layout_, tile, row % kTileRows, &parts);
    Dequantise(layout_, parts, out + b * layout_.block);
  }
}

}  // namespace fastweights
