// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <type_traits>

#include "base/arena.h"
#include "formats/tile_few.h"

namespace fastweights {

// With a tile's eight rows, a block of tokens has as many sums as hide the dot
// product's latency and still fit V8's fifteen registers.
static_assert(kTokenBlock == 4);

// Bytes of a record's codes, taken apart.
inline constexpr int kRecordCodes = kQuads * kHalves * 16;

// A tile taken apart: per record the quads of eight rows as bytes, and
// everything else as floats; TileScratchBytes (tile_tasks.h) in all.
struct Panel {
  Panel(const TileLayout& layout, int groups, Arena& arena)
      : codes(arena.Take<int8_t>(groups * kRecordCodes)),
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
    int8_t* codes = panel.codes + g * kRecordCodes;
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

// Eight rows by a block of tokens from a panel: their integer sums stay in
// registers for a group, the float ones for the whole length.
//   tokens  how many of the block's are wanted; zeros fill it up
template <class K>
void PanelBlock(const Panel& panel, const TileInput<typename K::Dot>& x,
                int block, int tokens, int rows, float* out, int out_stride) {
  using Dot = typename K::Dot;
  constexpr int kAtOnce = QuadsAtOnce<Dot>();
  constexpr bool kWide = std::is_same_v<typename Dot::Code, int16_t>;
  // Quads an iteration: with more V8 runs out of registers.
  constexpr int kStep = K::kParts == 1 && !kWide ? 2 : kAtOnce;
  const F32x4 float_of_start = Splat(kTileConstants.float_of_start);
  F32x4 sums[kTokenBlock][kHalves];
  for (auto& token_sums : sums) {
    for (F32x4& sum : token_sums) sum = Splat(0.0f);
  }
  int group = block * x.groups;
  const typename Dot::Code* codes =
      x.codes + static_cast<size_t>(group) * kTileColumns * kTokenBlock;
  const int8_t* quads = panel.codes;
  const float* scales = panel.scales;
  const float* offsets = panel.offsets;
  for (int g = 0; g < x.groups; ++g, ++group) {
    const F32x4 x_scales = Load(x.scales + kTokenBlock * group);
    for (int p = 0; p < K::kParts; ++p) {
      const I32x4 starts = StartsOf<K>(x, group * K::kParts + p);
      typename Dot::Sums dots[kTokenBlock][kHalves];
      for (int t = 0; t < kTokenBlock; ++t) {
        for (auto& dot : dots[t]) dot = Dot::Begin(StartOfLane<K>(starts, t));
      }
      NOT_UNROLLED
      for (int j = 0; j < K::kQuadsOfPart; j += kStep) {
        for (int k = 0; k < kStep; k += kAtOnce) {
          typename Dot::Weights w[kHalves][kAtOnce];
          typename Dot::Inputs inputs[kAtOnce];
          for (int i = 0; i < kAtOnce; ++i) {
            for (int h = 0; h < kHalves; ++h) {
              w[h][i] = Dot::Load(quads);
              quads += 16;
            }
            inputs[i] = Dot::LoadInputs(codes);
            codes += 4 * kTokenBlock;
          }
          for (int t = 0; t < kTokenBlock; ++t) {
            typename Dot::Input input[kAtOnce];
            for (int i = 0; i < kAtOnce; ++i) {
              input[i] = Dot::InputOf(inputs[i], t);
            }
            for (int h = 0; h < kHalves; ++h) {
              dots[t][h] = Dot::template Add<kAtOnce>(w[h], input, dots[t][h]);
            }
          }
          __asm__ volatile("" ::: "memory");
        }
      }
      for (int t = 0; t < kTokenBlock; ++t) {
        const I32x4 start = StartOfLane<K>(starts, t);
        const F32x4 x_scale = Lane(x_scales, t);
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] = AddGroup(Dot::End(dots[t][h], start), float_of_start,
                                Load(scales + 4 * h), x_scale, sums[t][h]);
        }
      }
      scales += kTileRows;
    }
    for (int p = 0; p < K::kParts && K::kOffsets; ++p) {
      const F32x4 x_sums = Load(x.sums + kTokenBlock * (group * K::kParts + p));
      for (int t = 0; t < kTokenBlock; ++t) {
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] =
              MulAdd(Load(offsets + 4 * h), Lane(x_sums, t), sums[t][h]);
        }
      }
      offsets += kTileRows;
    }
    // Q6_K 6 % faster, Q8_0 and Q4_0 1 %; those with offsets lose as much.
    if constexpr (!K::kOffsets) KeepInMemory(sums);
  }
  for (int t = 0; t < tokens; ++t) {
    StoreRows(sums[t], rows, out + t * out_stride);
  }
}

// Tiles [first, last) of a matrix of `rows` rows with many tokens.
template <class K>
void ManyTokens(int rows, const uint8_t* tiles, int first, int last, int tokens,
                const TileInput<typename K::Dot>& x, const Panel& panel,
                float* out, int out_stride) {
  using P = PanelKind<typename K::Dot, K::kParts, K::kOffsets>;
  // Zeros that fill up a block cost as much as tokens: one or two by
  // themselves are quicker from the packed records.
  const int rest = tokens % kTokenBlock;
  const int in_blocks = rest > 2 ? tokens : tokens - rest;
  ForRuns<K>(x.groups, first, last, [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      TakeApart<typename K::Tiles>(tiles + K::TileBytes(x.groups) * i, x.groups,
                                   panel);
      const int row = i * kTileRows;
      for (int t = 0; t < in_blocks; t += kTokenBlock) {
        PanelBlock<P>(panel, x, t / kTokenBlock,
                      std::min(tokens - t, kTokenBlock), rows - row,
                      out + row + static_cast<size_t>(t) * out_stride,
                      out_stride);
      }
    }
    if (rest == 1) {
      RunOfTokens<K, 1>(rows, tiles, from, to, in_blocks, x, out, out_stride);
    } else if (rest == 2) {
      RunOfTokens<K, 2>(rows, tiles, from, to, in_blocks, x, out, out_stride);
    }
  });
}

}  // namespace fastweights
