// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "formats/tile_kinds.h"
#include "formats/tile_tasks.h"

namespace fastweights {

// A tile with the tokens [kFirst, kFirst + kTokens) of a block, as PanelBlock,
// but from the packed records: for so few tokens that taking a tile apart costs
// more than it saves. With three tokens V8 keeps all sums in registers, with
// four not; each is loaded by itself, as Q4_0 loses a tenth by PanelBlock's
// way.
template <class K, int kFirst, int kTokens>
void TileOfTokens(const uint8_t* tile, const TileInput<typename K::Dot>& x,
                  int block, int rows, float* out, int out_stride) {
  using Dot = typename K::Dot;
  constexpr int kStepQuads = Unpacker<K::kBits>::kStepQuads;
  const Unpacker<K::kBits> unpack;
  const Levels<K> levels;
  Scales<K> scales;
  const F32x4 float_of_start = Splat(kTileConstants.float_of_start);
  F32x4 sums[kTokens][kHalves];
  for (auto& token_sums : sums) {
    for (F32x4& sum : token_sums) sum = Splat(0.0f);
  }
  int group = block * x.groups;
  const typename Dot::Code* codes =
      x.codes + static_cast<size_t>(group) * kTileColumns * kTokenBlock;
  for (int g = 0; g < x.groups; ++g, ++group, tile += K::kRecordBytes) {
    if (g % K::kBlockGroups == 0) tile = scales.Enter(tile);
    const F32x4 x_scales = Load(x.scales + kTokenBlock * group);
    I8x16 upper[kHalves];
    for (int h = 0; h < kHalves; ++h) {
      upper[h] = unpack.LoadUpper(tile + h * TileHalfBytes(K::kBits));
    }
    for (int p = 0; p < K::kParts; ++p) {
      const I32x4 starts = StartsOf<K>(x, group * K::kParts + p);
      typename Dot::Sums dots[kTokens][kHalves];
      for (int t = 0; t < kTokens; ++t) {
        for (auto& dot : dots[t]) {
          dot = Dot::Begin(StartOfLane<K>(starts, kFirst + t));
        }
      }
      NOT_UNROLLED
      for (int i = 0; i < K::kQuadsOfPart / kStepQuads; ++i) {
        I8x16 quads[kHalves][kStepQuads];
        for (int h = 0; h < kHalves; ++h) {
          unpack.Next(tile + h * TileHalfBytes(K::kBits),
                      p * (K::kQuadsOfPart / kStepQuads) + i, &upper[h],
                      quads[h]);
          for (I8x16& quad : quads[h]) levels.Apply(&quad);
        }
        for (int j = 0; j < kStepQuads; ++j) {
          typename Dot::Weights w[kHalves];
          for (int h = 0; h < kHalves; ++h) w[h] = Dot::Of(quads[h][j]);
          for (int t = 0; t < kTokens; ++t) {
            const auto input = Dot::LoadInput(codes + 4 * (kFirst + t));
            for (int h = 0; h < kHalves; ++h) {
              dots[t][h] = Dot::Add(w[h], input, dots[t][h]);
            }
          }
          codes += 4 * kTokenBlock;
        }
      }
      F32x4 scale[kHalves];
      scales.Scale(tile, p, scale);
      for (int t = 0; t < kTokens; ++t) {
        const I32x4 start = StartOfLane<K>(starts, kFirst + t);
        const F32x4 x_scale = Lane(x_scales, kFirst + t);
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] = AddGroup(Dot::End(dots[t][h], start), float_of_start,
                                scale[h], x_scale, sums[t][h]);
        }
      }
    }
    for (int p = 0; p < K::kParts && K::kOffsets; ++p) {
      F32x4 offset[kHalves];
      scales.Offset(tile, p, offset);
      const F32x4 x_sums = Load(x.sums + kTokenBlock * (group * K::kParts + p));
      for (int t = 0; t < kTokens; ++t) {
        const F32x4 sum = Lane(x_sums, kFirst + t);
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] = MulAdd(offset[h], sum, sums[t][h]);
        }
      }
    }
  }
  for (int t = 0; t < kTokens; ++t) {
    StoreRows(sums[t], rows, out + (kFirst + t) * out_stride);
  }
}

// Bytes of tiles that some tokens of a block meet before the next ones do: they
// fit a second-level cache, and reading so many in one go keeps prefetchers at
// it. With eight tokens Q8_0 is 1.4 times as fast as tile by tile, Q4_0 1.2.
inline constexpr size_t kRunBytes = 192 << 10;

// Calls run(from, to) for tiles [first, last), a run at a time.
template <class K, class Run>
void ForRuns(int groups, int first, int last, const Run& run) {
  const int tiles =
      static_cast<int>(std::max<size_t>(1, kRunBytes / K::TileBytes(groups)));
  for (int from = first; from < last; from += tiles) {
    run(from, std::min(from + tiles, last));
  }
}

// A run of tiles with kTokens tokens from the block's one `kFirst` on; there is
// one of it, not one for each that calls it.
//   token  the block's first
template <class K, int kFirst, int kTokens>
__attribute__((noinline)) void RunOfTokens(int rows, const uint8_t* tiles,
                                           int from, int to, int token,
                                           const TileInput<typename K::Dot>& x,
                                           float* out, int out_stride) {
  out += static_cast<size_t>(token) * out_stride;
  for (int i = from; i < to; ++i) {
    const int row = i * kTileRows;
    TileOfTokens<K, kFirst, kTokens>(tiles + K::TileBytes(x.groups) * i, x,
                                     token / kTokenBlock, rows - row, out + row,
                                     out_stride);
  }
}

// With more tokens taking tiles apart is as fast, or faster. GOP/s of a thread
// of a Zen 5 (relaxed), from the packed records and taken apart:
//   tokens    4          8          16         32
//   Q8_0      118 / 100  127 / 101  134 / 115  139 / 131
//   Q4_0      126 / 123  128 / 112  127 / 123  - / 136
//   Q4_K      87 / 104   88 / 100   88 / 112   - / 126
//   Q6_K      57 / 80    57 / 80    58 / 91    - / 103
// Integer scales take the registers that the former wants.
template <class K>
constexpr int kFewTokens = K::kIntegers    ? 3
                           : K::kBits == 8 ? kMostFewTokens
                                           : 16;

// Tiles [first, last) of a matrix of `rows` rows with a few tokens, two to
// kFewTokens.
template <class K>
void FewTokens(int rows, const uint8_t* tiles, int first, int last, int tokens,
               const TileInput<typename K::Dot>& x, float* out,
               int out_stride) {
  constexpr bool kBlocks = kFewTokens<K> >= kTokenBlock;
  ForRuns<K>(x.groups, first, last, [&](int from, int to) {
    for (int t = 0; t < tokens; t += kTokenBlock) {
      const int left = tokens - t;
      if (left == 3) {
        RunOfTokens<K, 0, 3>(rows, tiles, from, to, t, x, out, out_stride);
      } else if (kBlocks && left == 1) {
        RunOfTokens<K, 0, 1>(rows, tiles, from, to, t, x, out, out_stride);
      } else {
        RunOfTokens<K, 0, 2>(rows, tiles, from, to, t, x, out, out_stride);
        if (kBlocks && left > 2) {
          RunOfTokens<K, 2, 2>(rows, tiles, from, to, t, x, out, out_stride);
        }
      }
    }
  });
}

}  // namespace fastweights
