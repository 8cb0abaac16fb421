// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

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

  bool AddPacked(PackedParts* parts) override {
    if (!Reserve()) return false;
    parts->emplace_back(reinterpret_cast<uint8_t*>(tiles_.get()),
                        static_cast<size_t>(bytes()));
    return true;
  }

  void FinishPacked() override {
    filled_ = rows();
    const size_t count = static_cast<size_t>(bytes()) / sizeof(Stored);
    for (size_t i = 0; i < count; ++i) plain_ &= Weight::IsPlain(tiles_[i]);
  }

  void Gather(int row, float* out) const override {
    DCHECK(row >= 0 && row < filled_);
    const Stored* from = Tile(row) + kTileHead<Weight> + row % kGemmRows;
    for (int c = 0; c < columns(); ++c, from += kGemmRows) {
      out[c] = Weight::ToFloat(*from);
    }
  }

  int input_group() const override { return kFloats; }

  ProductParts Parts(const MatrixProduct& product,
                     ProductInput& x) const override {
    DCHECK(filled_ == rows() && x.columns() == columns());
    const int panel_rows = PanelRows();
    const auto run = [this, product, panel_rows, x = &x](int first, int last,
                                                         Arena& arena) {
      for (int panel = first; panel < last; ++panel) {
        const int row = panel * panel_rows;
        MultiplyPanel(row, std::min(panel_rows, product.rows - row), *x,
                      product.out + row, product.out_stride, arena);
      }
    };
    const size_t weights = static_cast<size_t>(panel_rows) * columns();
    return {(product.rows + panel_rows - 1) / panel_rows,
            PartCost(x.tokens(), weights * sizeof(Stored), weights), run};
  }

 protected:
  bool Take(int rows, const uint8_t* bytes, Threads& threads) override {
    CHECK(rows <= this->rows() - filled_);
    if (!Reserve()) return false;
    const int start = filled_, first = start / kGemmRows;
    filled_ += rows;
    const size_t row_bytes = columns() * sizeof(Stored);
    // What each task found: they run side by side.
    std::vector<uint8_t> plain(TilesOf(filled_) - first);
    threads.For(static_cast<int>(plain.size()), [&](int task, int) {
      const int from = std::max(start, (first + task) * kGemmRows);
      const int to = std::min(filled_, (first + task + 1) * kGemmRows);
      bool all = true;
      for (int row = from; row < to; ++row) {
        all &= PutRow(row, bytes + (row - start) * row_bytes);
      }
      plain[task] = all;
    });
    for (const uint8_t is_plain : plain) plain_ &= is_plain != 0;
    return true;
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

  bool Reserve() {
    if (!tiles_) tiles_ = MakeBuffer<Stored>(bytes() / sizeof(Stored));
    return tiles_ != nullptr;
  }

  // Whether the row's weights are plain.
  bool PutRow(int row, const uint8_t* bytes) {
    Stored* tile = Tile(row);
    if (row % kGemmRows == 0) {
      std::fill_n(tile, TileElements<Weight>(columns()), Stored{});
    }
    tile += kTileHead<Weight> + row % kGemmRows;
    bool plain = true;
    for (int c = 0; c < columns(); ++c, bytes += sizeof(Stored)) {
      std::memcpy(tile, bytes, sizeof(Stored));
      plain &= Weight::IsPlain(*tile);
      tile += kGemmRows;
    }
    return plain;
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
