// SPDX-License-Identifier: MIT
#pragma once

#include "base/arena.h"
#include "formats/tile_kinds.h"

namespace fastweights {

// Tokens that meet a tile at once: with its eight rows, as many sums as hide
// the dot product's latency and still fit V8's fifteen registers.
inline constexpr int kBlockTokens = 4;

// A tile taken apart: per record the quads of eight rows as bytes, and
// everything else as floats; TileScratchBytes (tile_tasks.h) in all.
struct Panel {
  Panel(const TileLayout& layout, int groups, Arena& arena)
      : codes(arena.Take<int8_t>(groups * kHalves * kQuads * 16)),
        scales(arena.Take<float>(groups * TileParts(layout) * kTileRows)),
        offsets(layout.offsets
                    ? arena.Take<float>(groups * TileParts(layout) * kTileRows)
                    : nullptr) {}

  int8_t* codes;   // [groups, kQuads, kHalves, 16]
  float* scales;   // [groups, parts, kTileRows]
  float* offsets;  // likewise, where the type has them
};

template <class K>
void TakeApart(const uint8_t* tile, int groups, const Panel& panel) {
  constexpr int kStepQuads = Unpacker<K::kBits>::kStepQuads;
  const Unpacker<K::kBits> unpack;
  const Levels<K> levels;
  Scales<K> scales;
  for (int g = 0; g < groups; ++g, tile += K::kRecordBytes) {
    if (g % K::kBlockGroups == 0) tile = scales.Enter(tile);
    int8_t* codes = panel.codes + g * kQuads * kHalves * 16;
    for (int h = 0; h < kHalves; ++h) {
      const uint8_t* half = tile + h * TileHalfBytes(K::kBits);
      I8x16 upper = unpack.LoadUpper(half);
      for (int quad = 0; quad < kQuads; quad += kStepQuads) {
        I8x16 quads[kStepQuads];
        unpack.Next(half, quad / kStepQuads, &upper, quads);
        for (int j = 0; j < kStepQuads; ++j) {
          levels.Apply(&quads[j]);
          StoreI8(codes + ((quad + j) * kHalves + h) * 16, quads[j]);
        }
      }
    }
    F32x4 rows[kHalves];
    const auto store = [&](float* to) {
      Store(to, rows[0]);
      Store(to + 4, rows[1]);
    };
    for (int p = 0; p < K::kParts; ++p) {
      scales.Scale(tile, p, rows);
      store(panel.scales + (g * K::kParts + p) * kTileRows);
    }
    for (int p = 0; p < K::kParts && K::kOffsets; ++p) {
      scales.Offset(tile, p, rows);
      store(panel.offsets + (g * K::kParts + p) * kTileRows);
    }
  }
}

// What the products of panels depend on: formats share them.
template <class DotT, int kPartsT, bool kOffsetsT>
struct PanelKind {
  using Dot = DotT;
  static constexpr int kParts = kPartsT;
  static constexpr bool kOffsets = kOffsetsT;
  static constexpr int kQuadsOfPart = kQuads / kParts;
};

// Eight rows by kTokens tokens from a panel: their integer sums stay in
// registers for a group, the float ones for the whole length.
template <class K, int kTokens>
void PanelTokens(const Panel& panel, const TileInput<typename K::Dot>& x,
                 int token, int rows, float* out, int out_stride) {
  using Dot = typename K::Dot;
  const F32x4 float_of_start = Splat(kTileConstants.float_of_start);
  F32x4 sums[kTokens][kHalves];
  for (auto& token_sums : sums) {
    for (F32x4& sum : token_sums) sum = Splat(0.0f);
  }
  const int columns = x.groups * kTileColumns;
  const typename Dot::Code* codes = x.codes + token * columns;
  const int8_t* quads = panel.codes;
  for (int g = 0; g < x.groups; ++g) {
    for (int p = 0; p < K::kParts; ++p) {
      I32x4 starts[kTokens];
      typename Dot::Sums dots[kTokens][kHalves];
      for (int t = 0; t < kTokens; ++t) {
        starts[t] = StartOf<K>(x, ((token + t) * x.groups + g) * K::kParts + p);
        for (auto& dot : dots[t]) dot = Dot::Begin(starts[t]);
      }
      for (int j = 0; j < K::kQuadsOfPart; ++j) {
        typename Dot::Weights w[kHalves];
        for (auto& weights : w) {
          weights = Dot::Of(LoadI8(quads));
          quads += 16;
        }
        for (int t = 0; t < kTokens; ++t) {
          const auto input = Dot::LoadInput(codes + t * columns);
          for (int h = 0; h < kHalves; ++h) {
            dots[t][h] = Dot::Add(w[h], input, dots[t][h]);
          }
        }
        codes += 4;
      }
      const float* scales = panel.scales + (g * K::kParts + p) * kTileRows;
      for (int t = 0; t < kTokens; ++t) {
        const F32x4 x_scale = Splat(x.scales[(token + t) * x.groups + g]);
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] = AddGroup(Dot::End(dots[t][h], starts[t]), float_of_start,
                                Load(scales + 4 * h), x_scale, sums[t][h]);
        }
      }
    }
    for (int p = 0; p < K::kParts && K::kOffsets; ++p) {
      const float* offsets = panel.offsets + (g * K::kParts + p) * kTileRows;
      for (int t = 0; t < kTokens; ++t) {
        const F32x4 sum =
            Splat(x.sums[((token + t) * x.groups + g) * K::kParts + p]);
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] = MulAdd(Load(offsets + 4 * h), sum, sums[t][h]);
        }
      }
    }
  }
  for (int t = 0; t < kTokens; ++t) {
    StoreRows(sums[t], rows, out + (token + t) * out_stride);
  }
}

// Tiles [first, last) of a matrix of `rows` rows with many tokens.
template <class K>
void ManyTokens(int rows, const uint8_t* tiles, int first, int last, int tokens,
                const TileInput<typename K::Dot>& x, const Panel& panel,
                float* out, int out_stride) {
  using P = PanelKind<typename K::Dot, K::kParts, K::kOffsets>;
  for (int i = first; i < last; ++i) {
    TakeApart<K>(tiles + K::TileBytes(x.groups) * i, x.groups, panel);
    const int row = i * kTileRows, left = rows - row;
    int t = 0;
    for (; t + kBlockTokens <= tokens; t += kBlockTokens) {
      PanelTokens<P, kBlockTokens>(panel, x, t, left, out + row, out_stride);
    }
    for (; t < tokens; ++t) {
      PanelTokens<P, 1>(panel, x, t, left, out + row, out_stride);
    }
  }
}

}  // namespace fastweights
