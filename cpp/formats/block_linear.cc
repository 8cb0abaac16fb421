// SPDX-License-Identifier: MIT
#include "formats/block_linear.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "formats/tile_tasks.h"

namespace fastweights {

uint64_t BlockLinear::bytes() const {
  return static_cast<uint64_t>((rows() + kTileRows - 1) / kTileRows) *
         TileBytes();
}

size_t BlockLinear::ThreadScratchBytes() const {
  return TileScratchBytes(layout_, columns());
}

bool BlockLinear::Append(int rows, const uint8_t* bytes) {
  CHECK(rows <= this->rows() - filled_);
  const size_t row_bytes = format_.RowBytes(columns());
  if (!tiles_) {
    tiles_ = MakeBuffer<uint8_t>(this->bytes());
    pending_ = MakeBuffer<uint8_t>(kTileRows * row_bytes);
    if (!tiles_ || !pending_) return false;
  }
  for (int i = 0; i < rows; ++i, bytes += row_bytes) {
    const int row = filled_ % kTileRows;
    // Of a last tile that is not full, the rest must be numbers.
    if (row == 0) std::memset(pending_.get(), 0, kTileRows * row_bytes);
    std::memcpy(pending_.get() + row * row_bytes, bytes, row_bytes);
    ++filled_;
    if (row + 1 == kTileRows || filled_ == this->rows()) PackPending();
  }
  if (filled_ == this->rows()) pending_.reset();
  return true;
}

void BlockLinear::PackPending() {
  const size_t row_bytes = format_.RowBytes(columns());
  uint8_t* tile = tiles_.get() +
                  static_cast<size_t>((filled_ - 1) / kTileRows) * TileBytes();
  BlockParts parts[kTileRows];
  for (int b = 0; b < blocks(); ++b, tile += TileBlockBytes(layout_)) {
    for (int r = 0; r < kTileRows; ++r) {
      tile_format_.unpack(
          pending_.get() + r * row_bytes + b * format_.block_bytes, &parts[r]);
    }
    PackBlock(layout_, parts, tile);
  }
}

void BlockLinear::Product(int rows, ProductInput& x, float* out,
                          int out_stride) {
  DCHECK(filled_ == this->rows() && x.columns() == columns());
  tile_format_.product(rows, tiles_.get(), x, out, out_stride);
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
