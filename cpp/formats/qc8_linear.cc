// SPDX-License-Identifier: MIT
#include "formats/qc8_linear.h"

#include <algorithm>

#include "base/check.h"
#include "formats/kernel_choice.h"
#include "formats/quantise_int8.h"

namespace fastweights {

uint64_t Qc8Linear::bytes() const {
  const int tile_rows = Int8TileRows();
  return static_cast<uint64_t>((rows() + tile_rows - 1) / tile_rows) *
         Int8TileBytes(columns());
}

uint8_t* Qc8Linear::Tile(int row) const {
  return tiles_.get() + row / Int8TileRows() * Int8TileBytes(columns());
}

bool Qc8Linear::Append(int rows, const uint8_t* bytes) {
  CHECK(rows <= this->rows() - filled_);
  const int tile_rows = Int8TileRows();
  if (!tiles_) {
    tiles_ = MakeBuffer<uint8_t>(this->bytes());
    values_ = MakeBuffer<float>(columns());
    codes_ = MakeBuffer<int8_t>(static_cast<size_t>(tile_rows) * columns());
    scales_ = MakeBuffer<float>(tile_rows);
  }
  if (!tiles_ || !values_ || !codes_ || !scales_) return false;
  for (int i = 0; i < rows; ++i, bytes += stored_.RowBytes(columns())) {
    const int row = filled_ % tile_rows;
    stored_.dequantise(bytes, columns(), values_.get());
    scales_[row] =
        QuantiseInt8(columns(), values_.get(),
                     codes_.get() + static_cast<size_t>(row) * columns());
    if (row + 1 == tile_rows || filled_ + 1 == this->rows()) {
      PackInt8Tile(row + 1, columns(), codes_.get(), scales_.get(),
                   Tile(filled_));
    }
    ++filled_;
  }
  if (filled_ == this->rows()) {
    values_.reset();
    codes_.reset();
    scales_.reset();
  }
  return true;
}

void Qc8Linear::Product(int rows, ProductInput& x, float* out, int out_stride) {
  DCHECK(filled_ == this->rows() && x.columns() == columns());
  const TokenQuantisedInput& input = x.QuantisedByToken();
  constexpr int kStep = 32;
  const int fit = static_cast<int>(kPanelBytes / columns());
  const int panel_rows = std::max(fit / kStep * kStep, kStep);
  const int panels = (rows + panel_rows - 1) / panel_rows;
  x.workspace().threads().For(panels, [&](int panel, int) {
    const int row = panel * panel_rows;
    Int8Gemm(x.tokens(), std::min(panel_rows, rows - row), columns(),
             input.codes, input.scales, Tile(row), out + row, out_stride);
  });
}

void Qc8Linear::Gather(int row, float* out) const {
  DCHECK(row >= 0 && row < filled_);
  UnpackInt8Row(Tile(row), row % Int8TileRows(), columns(), out);
}

}  // namespace fastweights
