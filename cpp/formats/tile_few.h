// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

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

// Tokens whose products with two tiles at once fit the registers.
inline constexpr int kTogetherTokens = 2;

// kCount tiles with the first kTokens tokens of a block, as PanelBlock, but
// from the packed records.
template <class K, int kTokens, int kCount>
void TilesOfTokens(const uint8_t* const* tiles,
                   const TileInput<typename K::Dot>& x, int block,
                   F32x4 (*sums)[kTokens][kHalves]) {
  const Unpacker<K::kBits> unpack;
  const Levels<K> levels;
  const Scales<K> scales;
  const uint8_t* at[kCount];
  for (int s = 0; s < kCount; ++s) {
    at[s] = tiles[s];
    for (auto& token_sums : sums[s]) {
      for (F32x4& sum : token_sums) sum = Splat(0.0f);
    }
  }
  const int first = block * x.groups;
  for (int b = first; b < first + x.groups; b += K::kBlockGroups) {
    const uint8_t* heads[kCount];
    I32x4 totals[kCount][kTokens][kHalves];
    for (int s = 0; s < kCount; ++s) {
      heads[s] = at[s];
      at[s] += K::kHeadBytes;
      for (auto& token_totals : totals[s]) {
        for (I32x4& total : token_totals) total = SplatI32(0);
      }
    }
    for (int g = b; g < b + K::kBlockGroups; ++g) {
      if constexpr (kTokens > kTogetherTokens) {
        // A group of one tile after that of the other: their products have the
        // registers in turns.
        for (int s = 0; s < kCount; ++s) {
          RecordsOfTokens<K, kTokens, 1>(unpack, levels, scales, at + s, x, g,
                                         totals + s, sums + s);
        }
      } else {
        RecordsOfTokens<K, kTokens, kCount>(unpack, levels, scales, at, x, g,
                                            totals, sums);
      }
      for (const uint8_t*& record : at) record += K::kRecordBytes;
      // What a group needs once is to leave the registers to its dot products:
      // by four tokens Q8_0 and Q4_0 do 1.3 times as much. Where a group has
      // two parts the loads cost more, and whole numbers are as quick without.
      if constexpr (!K::kIntegers && K::kParts == 1) KeepInMemory(sums);
    }
    if constexpr (K::kIntegers) {
      for (int s = 0; s < kCount; ++s) {
        EndBlocks<K, kTokens>(BlockHead<K>(heads[s]), x, b / K::kBlockGroups,
                              totals[s], sums[s]);
      }
    }
  }
}

// Bytes of tiles that some tokens meet before the next ones do: they fit a
// second-level cache, and reading so many in one go keeps prefetchers at it.
inline constexpr size_t kRunBytes = 192 << 10;

// Calls run(from, to) for tiles [first, last), a run at a time, of which each
// is one of `places` that are read at once.
template <class K, class Run>
void ForRuns(int groups, int first, int last, int places, const Run& run) {
  const int tiles = static_cast<int>(
      std::max<size_t>(1, kRunBytes / (places * K::TileBytes(groups))));
  for (int from = first; from < last; from += tiles) {
    run(from, std::min(from + tiles, last));
  }
}

// A run of tiles with the kTokens tokens from `token` on, a block's first;
// there is one of it, not one for each that calls it.
template <class K, int kTokens, int kPlaces = 1>
__attribute__((noinline)) void RunOfTokens(int rows, const uint8_t* tiles,
                                           TileRun run, int token,
                                           const TileInput<typename K::Dot>& x,
                                           float* out, int out_stride) {
  out += static_cast<size_t>(token) * out_stride;
  for (int tile = run.from; tile < run.to; ++tile) {
    const uint8_t* at[kPlaces];
    F32x4 sums[kPlaces][kTokens][kHalves];
    for (int s = 0; s < kPlaces; ++s) {
      at[s] = tiles + K::TileBytes(x.groups) * (tile + s * run.apart);
    }
    TilesOfTokens<K, kTokens, kPlaces>(at, x, token / kTokenBlock, sums);
    for (int s = 0; s < kPlaces; ++s) {
      const int row = (tile + s * run.apart) * kTileRows;
      for (int t = 0; t < kTokens; ++t) {
        StoreRows(sums[s][t], rows - row, out + row + t * out_stride);
      }
    }
  }
}

// With more tokens taking tiles apart is as fast, or faster; those that fill up
// a block are paid for, too. GOP/s of a thread of a Zen 5 (relaxed, weights
// from memory), from the packed records and taken apart:
//   tokens    3          4          8          16         32         64
//   Q8_0      137 / 86   163 / 112  164 / 128  170 / 133  173 / 150  168 / 166
//   Q4_0      148 / 110  163 / 145  165 / 150  168 / 145  169 / 157  171 / 171
// With integer scales 8 tokens of Q4_K and Q6_K are 1.25 times as fast from the
// packed records on a Zen 4, 16 are 1.06 times. Of 16-bit products 4 are 1.22
// times as fast, 8 of Q6_K 0.8 times: taken apart those have no scales.
template <class K>
constexpr int kFewTokens = !K::kIntegers               ? kMostFewTokens
                           : IsWide<typename K::Dot>() ? 2 * kTokenBlock - 1
                                                       : 4 * kTokenBlock;

// Places that some tokens' products read from at once. Two tokens of Q8_0 read
// 1.2 times as much from two as from one, all there is to read. More wait for
// memory where one dot product is one instruction: on an Intel with AVX-VNNI
// two places make 3 to 16 of Q8_0 1.1 to 1.2 times as fast, 3 and 4 of Q4_0
// 1.2 times, 8 and 16 1.1 and 1.05 times; Q4_K and Q5_K with 8 lose a tenth, as
// whole numbers' totals leave no registers. Wide products have none for two
// tiles.
template <class K, int kTokens>
constexpr int PlacesOfTokens() {
  using Dot = typename K::Dot;
  if (IsWide<Dot>()) return 1;
  return kTokens <= kTogetherTokens || HasLaneSums<Dot>() ? kStreams<K> : 1;
}

// Tiles [first, last) of a matrix of `rows` rows with a few tokens, two to
// kFewTokens.
template <class K>
void FewTokens(int rows, const uint8_t* tiles, int first, int last, int tokens,
               const TileInput<typename K::Dot>& x, float* out,
               int out_stride) {
  if (tokens == 2) {
    ForPlaces<PlacesOfTokens<K, 2>()>(
        first, last, [&](auto places, const TileRun& of) {
          RunOfTokens<K, 2, places.value>(rows, tiles, of, 0, x, out,
                                          out_stride);
        });
    return;
  }
  ForPlaces<PlacesOfTokens<K, kTokenBlock>()>(
      first, last, [&](auto places, const TileRun& of) {
        constexpr int kPlaces = places.value;
        ForRuns<K>(x.groups, of.from, of.to, kPlaces, [&](int from, int to) {
          const TileRun all = {from, to, of.apart};
          for (int t = 0; t < tokens; t += kTokenBlock) {
            const auto run =
                [&]<int kTokens, int kOfThem>(const TileRun& part) {
                  RunOfTokens<K, kTokens, kOfThem>(rows, tiles, part, t, x, out,
                                                   out_stride);
                };
            const int left = tokens - t;
            if (left > 3) {
              run.template operator()<4, kPlaces>(all);
              continue;
            }
            if (left == 3) {
              run.template operator()<3, kPlaces>(all);
              continue;
            }
            // The end of more tokens: what it reads is in the cache by now.
            for (int place = 0; place < kPlaces; ++place) {
              if (left == 2) {
                run.template operator()<2, 1>(all.At(place));
              } else {
                run.template operator()<1, 1>(all.At(place));
              }
            }
          }
        });
      });
}

}  // namespace fastweights
