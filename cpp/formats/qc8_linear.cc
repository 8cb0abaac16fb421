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

bool Qc8Linear::Reserve(int threads) {
  if (!tiles_) tiles_ = MakeBuffer<uint8_t>(bytes());
  if (!tiles_) return false;
  for (int i = static_cast<int>(filling_.size()); i < threads; ++i) {
    const int tile_rows = Int8TileRows();
    Filling filling = {
        MakeBuffer<float>(columns()),
        MakeBuffer<int8_t>(static_cast<size_t>(tile_rows) * columns()),
        MakeBuffer<float>(tile_rows)};
    if (!filling.values || !filling.codes || !filling.scales) return false;
    filling_.push_back(std::move(filling));
  }
  return true;
}

bool Qc8Linear::AddPacked(PackedParts* parts) {
  if (!Reserve(0)) return false;
  parts->emplace_back(tiles_.get(), static_cast<size_t>(bytes()));
  return true;
}

bool Qc8Linear::Take(int rows, const uint8_t* bytes, Threads& threads) {
  CHECK(rows <= this->rows() - filled_);
  if (!Reserve(threads.count())) return false;
  const int tile_rows = Int8TileRows();
  const size_t row_bytes = stored_.RowBytes(columns());
  while (rows > 0) {
    const int row = filled_ % tile_rows;
    int count = rows / tile_rows * tile_rows;
    if (row == 0 && count > 0) {
      threads.For(count / tile_rows, [&](int tile, int thread) {
        PutRows(filled_ + tile * tile_rows, tile_rows,
                bytes + tile * tile_rows * row_bytes, filling_[thread]);
      });
    } else {
      count = std::min(rows, tile_rows - row);
      PutRows(filled_, count, bytes, filling_[0]);
    }
    filled_ += count;
    rows -= count;
    bytes += count * row_bytes;
  }
  if (filled_ == this->rows()) filling_.clear();
  return true;
}

void Qc8Linear::PutRows(int row, int count, const uint8_t* bytes,
                        Filling& filling) {
  const int tile_rows = Int8TileRows();
  for (int i = 0; i < count; ++i, ++row, bytes += stored_.RowBytes(columns())) {
    const int place = row % tile_rows;
    stored_.dequantise(bytes, columns(), filling.values.get());
    filling.scales[place] = QuantiseInt8(
        columns(), filling.values.get(),
        filling.codes.get() + static_cast<size_t>(place) * columns());
    if (place + 1 == tile_rows || row + 1 == rows()) {
      PackInt8Tile(place + 1, columns(), filling.codes.get(),
                   filling.scales.get(), Tile(row));
    }
  }
}

ProductParts Qc8Linear::Parts(const MatrixProduct& product,
                              ProductInput& x) const {
  DCHECK(filled_ == rows() && x.columns() == columns());
  constexpr int kStep = 32;
  const int fit = static_cast<int>(kPanelBytes / columns());
  const int panel_rows = std::max(fit / kStep * kStep, kStep);
  const auto run = [this, product, panel_rows, tokens = x.tokens(),
                    input = x.QuantisedByToken()](int first, int last, Arena&) {
    for (int panel = first; panel < last; ++panel) {
      const int row = panel * panel_rows;
      Int8Gemm(tokens, std::min(panel_rows, product.rows - row), columns(),
               input.codes, input.scales, Tile(row), product.out + row,
               product.out_stride);
    }
  };
  return {(product.rows + panel_rows - 1) / panel_rows,
          static_cast<size_t>(panel_rows) * columns(), run};
}

void Qc8Linear::Gather(int row, float* out) const {
  DCHECK(row >= 0 && row < filled_);
  UnpackInt8Row(Tile(row), row % Int8TileRows(), columns(), out);
}

}  // namespace fastweights
