// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/check.h"
#include "formats/dense_product.h"
#include "formats/format.h"
#include "formats/kernel_choice.h"

namespace fastweights {

// A matrix of F32, F16 or BF16 weights, as wide in memory as in the file, in
// the tiles of dense_product.h. A few tokens stream them; for more, each panel
// of tiles is widened into a thread's scratch memory and XNNPACK multiplies.
template <class Weight>
class DenseLinear final : public Linear {
 public:
  using Stored = typename Weight::Stored;

  DenseLinear(int rows, int columns) : Linear(rows, columns) {}

  uint64_t bytes() const override {
    return static_cast<uint64_t>(TilesOf(rows())) *
           TileElements<Weight>(columns()) * sizeof(Stored);
  }

  size_t ThreadScratchBytes() const override {
    if (kIsPacked) return 0;
    return AlignedBytes(TilesOf(std::min(PanelRows(), rows())) *
                        GemmTileFloats(columns()) * sizeof(float));
  }

  bool Append(int rows, const uint8_t* bytes) override {
    CHECK(rows <= this->rows() - filled_);
    if (!tiles_) tiles_ = MakeBuffer<Stored>(this->bytes() / sizeof(Stored));
    if (!tiles_) return false;
    for (const int end = filled_ + rows; filled_ < end; ++filled_) {
      Stored* tile = Tile(filled_);
      const int row = filled_ % kGemmRows;
      if (row == 0)
        std::fill_n(tile, TileElements<Weight>(columns()), Stored{});
      tile += kTileHead<Weight> + row;
      for (int c = 0; c < columns(); ++c, bytes += sizeof(Stored)) {
        std::memcpy(tile, bytes, sizeof(Stored));
        plain_ &= Weight::IsPlain(*tile);
        tile += kGemmRows;
      }
    }
    return true;
  }

  void Gather(int row, float* out) const override {
    DCHECK(row >= 0 && row < filled_);
    const Stored* from = Tile(row) + kTileHead<Weight> + row % kGemmRows;
    for (int c = 0; c < columns(); ++c, from += kGemmRows) {
      out[c] = Weight::ToFloat(*from);
    }
  }

 protected:
  void Product(int rows, ProductInput& x, float* out, int out_stride) override {
    DCHECK(filled_ == this->rows() && x.columns() == columns());
    const int panels = (rows + PanelRows() - 1) / PanelRows();
    Workspace& workspace = x.workspace();
    workspace.threads().For(panels, [&](int panel, int thread) {
      const int row = panel * PanelRows();
      MultiplyPanel(row, std::min(PanelRows(), rows - row), x, out + row,
                    out_stride, workspace.thread_arena(thread));
    });
  }

 private:
  // Whether XNNPACK takes tiles as they are.
  static constexpr bool kIsPacked = sizeof(Stored) == sizeof(float);

  static size_t TilesOf(int rows) {
    return static_cast<size_t>((rows + kGemmRows - 1) / kGemmRows);
  }
  Stored* Tile(int row) const {
    return tiles_.get() + row / kGemmRows * TileElements<Weight>(columns());
  }

  // Whole groups of the four tiles that one token takes at a time.
  int PanelRows() const {
    constexpr int kStep = 32;
    // In 64 bits: a hostile header may ask for 2^30 columns.
    const uint64_t row_bytes = (columns() + uint64_t{1}) * sizeof(float);
    const int fit = static_cast<int>(kPanelBytes / row_bytes);
    return std::max(fit / kStep * kStep, kStep);
  }

  void MultiplyPanel(int row, int rows, const ProductInput& x, float* out,
                     int out_stride, Arena& arena) const {
    const Stored* tiles = Tile(row);
    if (x.tokens() <= Weight::kMostTokens && plain_) {
      DenseProduct<Weight>(x.tokens(), rows, columns(), tiles, x.values(), out,
                           out_stride);
      return;
    }
    const ArenaScope scope(arena);
    const float* packed;
    if constexpr (kIsPacked) {
      packed = tiles;
    } else {
      const size_t floats = GemmTileFloats(columns());
      float* widened = arena.Take<float>(TilesOf(rows) * floats);
      for (size_t i = 0; i < TilesOf(rows); ++i) {
        WidenTile<Weight>(tiles + i * TileElements<Weight>(columns()),
                          columns(), plain_, widened + i * floats);
      }
      packed = widened;
    }
    Gemm(x.tokens(), rows, columns(), x.values(), columns(), packed, out,
         out_stride);
  }

  int filled_ = 0;  // rows taken so far
  bool plain_ = true;
  Buffer<Stored> tiles_;
};

template <class Weight>
constexpr Format DenseFormat(int type, const char* name) {
  using Stored = typename Weight::Stored;
  return {
      .type = type,
      .name = name,
      .block = 1,
      .block_bytes = sizeof(Stored),
      .dequantise =
          [](const uint8_t* bytes, int count, float* out) {
            for (int i = 0; i < count; ++i, bytes += sizeof(Stored)) {
              Stored weight;
              std::memcpy(&weight, bytes, sizeof(weight));
              out[i] = Weight::ToFloat(weight);
            }
          },
      .are_finite =
          [](const uint8_t* bytes, size_t count) {
            bool all = true;
            for (size_t i = 0; i < count; ++i, bytes += sizeof(Stored)) {
              Stored weight;
              std::memcpy(&weight, bytes, sizeof(weight));
              all &= Weight::IsFinite(weight);
            }
            return all;
          },
      .make_linear = [](const Format&, int rows,
                        int columns) -> std::unique_ptr<Linear> {
        return std::make_unique<DenseLinear<Weight>>(rows, columns);
      },
  };
}

}  // namespace fastweights
