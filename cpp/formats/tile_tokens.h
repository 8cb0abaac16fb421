// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "formats/tile_kinds.h"
#include "formats/tile_scales.h"
#include "formats/tile_scratch.h"
#include "formats/tile_streams.h"

namespace fastweights {

// The next group of kCount tiles, whose records are at `record`, with the first
// kTokens tokens of a block; `group` counts those of the blocks before, too.
// Added to `sums`, or, of kinds with integer scales, to `totals`.
template <class K, int kTokens, int kCount>
__attribute__((always_inline)) inline void RecordsOfTokens(
    const Unpacker<K::kBits>& unpack, const Levels<K>& levels,
    const Scales<K>& scales, const uint8_t* const* record,
    const TileInput<typename K::Dot>& x, int group,
    I32x4 (*totals)[kTokens][kHalves], F32x4 (*sums)[kTokens][kHalves]) {
  using Dot = typename K::Dot;
  constexpr int kStepQuads = Unpacker<K::kBits>::kStepQuads;
  constexpr int kSteps = K::kQuadsOfRun / kStepQuads;
  constexpr int kAtOnce = QuadsAtOnce<Dot>();
  const F32x4 float_of_start = Splat(kTileConstants.float_of_start);
  const typename Dot::Code* codes =
      x.codes + static_cast<size_t>(group) * kTileColumns * kTokenBlock;
  const F32x4 x_scales =
      Load(x.scales + kTokenBlock * (group / K::kInputGroups));
  I8x16 upper[kCount][kHalves];
  for (int s = 0; s < kCount; ++s) {
    for (int h = 0; h < kHalves; ++h) {
      upper[s][h] = unpack.LoadUpper(record[s] + h * TileHalfBytes(K::kBits));
    }
  }
  for (int p = 0; p < K::kRuns; ++p) {
    const Starts<K> starts(x, group * K::kParts + p);
    typename Dot::Sums dots[kCount][kTokens][kHalves];
    for (auto& tile_dots : dots) {
      for (int t = 0; t < kTokens; ++t) {
        for (auto& dot : tile_dots[t]) dot = BeginRun<K>(starts.Of(t));
      }
    }
    NOT_UNROLLED
    for (int i = 0; i < kSteps; ++i) {
      for (int s = 0; s < kCount; ++s) {
        I8x16 quads[kHalves][kStepQuads];
        for (int h = 0; h < kHalves; ++h) {
          unpack.Next(record[s] + h * TileHalfBytes(K::kBits), p * kSteps + i,
                      &upper[s][h], quads[h]);
          for (I8x16& quad : quads[h]) levels.Apply(&quad);
        }
        for (int j = 0; j < kStepQuads; j += kAtOnce) {
          typename Dot::Weights w[kHalves][kAtOnce];
          for (int h = 0; h < kHalves; ++h) {
            for (int q = 0; q < kAtOnce; ++q)
              w[h][q] = Dot::Of(quads[h][j + q]);
          }
          for (int t = 0; t < kTokens; ++t) {
            typename Dot::Input input[kAtOnce];
            for (int q = 0; q < kAtOnce; ++q) {
              input[q] =
                  Dot::LoadInput(codes + 4 * (kTokenBlock * (j + q) + t));
            }
            for (int h = 0; h < kHalves; ++h) {
              dots[s][t][h] =
                  Dot::template Add<kAtOnce>(w[h], input, dots[s][t][h]);
            }
          }
        }
      }
      codes += 4 * kTokenBlock * kStepQuads;
    }
    for (int s = 0; s < kCount; ++s) {
      if constexpr (K::kIntegers) {
        I32x4 scale[kHalves];
        LoadRunScales<K>(record[s], p, scale);
        for (int t = 0; t < kTokens; ++t) {
          for (int h = 0; h < kHalves; ++h) {
            totals[s][t][h] =
                Dot::AddScaled(dots[s][t][h], scale[h], totals[s][t][h]);
          }
        }
      } else {
        F32x4 scale[kHalves];
        scales.Scale(record[s], p, scale);
        for (int t = 0; t < kTokens; ++t) {
          const F32x4 x_scale = Lane(x_scales, t);
          for (int h = 0; h < kHalves; ++h) {
            sums[s][t][h] =
                AddGroup(Dot::End(dots[s][t][h], starts.Of(t)), float_of_start,
                         scale[h], x_scale, sums[s][t][h]);
          }
        }
      }
    }
  }
  for (int p = 0; p < K::kParts && K::kOffsets && !K::kIntegers; ++p) {
    const F32x4 x_sums = Load(x.sums + kTokenBlock * (group * K::kParts + p));
    for (int s = 0; s < kCount; ++s) {
      F32x4 offset[kHalves];
      scales.Offset(record[s], p, offset);
      for (int t = 0; t < kTokens; ++t) {
        const F32x4 sum = Lane(x_sums, t);
        for (int h = 0; h < kHalves; ++h) {
          sums[s][t][h] = MulAdd(offset[h], sum, sums[s][t][h]);
        }
      }
    }
  }
}

// The end of a block of integer scales; `block` counts those of the blocks of
// tokens before, too.
template <class K, int kTokens>
inline void EndBlocks(const BlockHead<K>& head,
                      const TileInput<typename K::Dot>& x, int block,
                      const I32x4 (*totals)[kHalves], F32x4 (*sums)[kHalves]) {
  const F32x4 x_scales = Load(x.scales + kTokenBlock * block);
  const PairSums* code_sums = x.code_sums + kTokenBlock * block * head.kPairs;
  for (int h = 0; h < kHalves; ++h) {
    I32x4 minima[kTokens];
    for (I32x4& minimum : minima) minimum = SplatI32(0);
    for (int pair = 0; pair < head.kPairs; ++pair) {
      const I16x8 offsets = head.Offsets(pair, h);
      for (int t = 0; t < kTokens; ++t) {
        const I16x8 codes = SplatPair(code_sums + kTokenBlock * pair + t);
        minima[t] = Add(minima[t], DotPairs(offsets, codes));
      }
    }
    const F32x4 scale = head.Scale(h);
    const F32x4 offset = K::kOffsets ? head.Offset(h) : Splat(0.0f);
    for (int t = 0; t < kTokens; ++t) {
      sums[t][h] = AddBlock<K::kOffsets>(totals[t][h], scale, minima[t], offset,
                                         Lane(x_scales, t), sums[t][h]);
    }
  }
}

// Groups of a tile that are read before those of the next place: of kinds with
// integer scales half a block, so that its totals wait in memory but once.
template <class K>
inline constexpr int kTurnGroups = std::min(K::kBlockGroups, 4);

// Tiles with the first kTokens tokens of a block, as PanelBlock, but from the
// packed records: `places` of them, kAtOnce at once and those in turns.
template <class K, int kTokens, int kAtOnce>
__attribute__((always_inline)) inline void TilesOfTokens(
    const uint8_t** at, int places, const TileInput<typename K::Dot>& x,
    int block, F32x4 (*sums)[kTokens][kHalves]) {
  const Unpacker<K::kBits> unpack;
  const Levels<K> levels;
  const Scales<K> scales;
  using Totals = I32x4[kTokens][kHalves];
  const int first = block * x.groups;
  for (int b = first; b < first + x.groups; b += K::kBlockGroups) {
    const uint8_t* heads[kManyPlaces];
    Totals totals[kManyPlaces];
    NOT_UNROLLED
    for (int s = 0; s < places; ++s) {
      heads[s] = at[s];
      at[s] += K::kHeadBytes;
      for (auto& token_totals : totals[s]) {
        for (I32x4& total : token_totals) total = SplatI32(0);
      }
    }
    NOT_UNROLLED
    for (int turn = b; turn < b + K::kBlockGroups; turn += kTurnGroups<K>) {
      NOT_UNROLLED
      for (int s = 0; s < places; s += kAtOnce) {
        Totals own[kAtOnce];
        std::memcpy(own, totals + s, sizeof(own));
        for (int g = turn; g < turn + kTurnGroups<K>; ++g) {
          RecordsOfTokens<K, kTokens, kAtOnce>(unpack, levels, scales, at + s,
                                               x, g, own, sums + s);
          for (int i = s; i < s + kAtOnce; ++i) at[i] += K::kRecordBytes;
        }
        std::memcpy(totals + s, own, sizeof(own));
        // What a group needs once is to leave the registers to its dot
        // products: by four tokens Q8_0 and Q4_0 do 1.3 times as much. Where a
        // group has two parts the loads cost more, and whole numbers are as
        // quick without.
        if constexpr (!K::kIntegers && K::kParts == 1) KeepInMemory(sums);
      }
    }
    if constexpr (K::kIntegers) {
      NOT_UNROLLED
      for (int s = 0; s < places; ++s) {
        EndBlocks<K, kTokens>(BlockHead<K>(heads[s]), x, b / K::kBlockGroups,
                              totals[s], sums[s]);
      }
    }
  }
}

// How a run's tiles are read: from one place, with all sums in registers (what
// has integer scales and lies in the cache is a tenth faster by it), from any
// number of places in turns, or from an even one, two at once.
enum class Turns { kNone, kSingle, kPairs };

// A run of tiles with the kTokens tokens from `token` on, a block's first;
// there is one of it, not one for each that calls it.
template <class K, int kTokens, Turns kTurns>
__attribute__((noinline)) void RunOfTokens(int rows, const uint8_t* tiles,
                                           int places, TileRun run, int token,
                                           const TileInput<typename K::Dot>& x,
                                           float* out, int out_stride) {
  if (kTurns == Turns::kNone) places = 1;
  out += static_cast<size_t>(token) * out_stride;
  for (int tile = run.from; tile < run.to; ++tile) {
    const uint8_t* at[kManyPlaces];
    F32x4 sums[kManyPlaces][kTokens][kHalves];
    NOT_UNROLLED
    for (int s = 0; s < places; ++s) {
      at[s] = tiles + K::TileBytes(x.groups) * (tile + s * run.apart);
      for (auto& token_sums : sums[s]) {
        for (F32x4& sum : token_sums) sum = Splat(0.0f);
      }
    }
    TilesOfTokens<K, kTokens, kTurns == Turns::kPairs ? 2 : 1>(
        at, places, x, token / kTokenBlock, sums);
    NOT_UNROLLED
    for (int s = 0; s < places; ++s) {
      const int row = (tile + s * run.apart) * kTileRows;
      for (int t = 0; t < kTokens; ++t) {
        StoreRows(sums[s][t], rows - row, out + row + t * out_stride);
      }
    }
  }
}

}  // namespace fastweights
