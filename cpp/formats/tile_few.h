// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "formats/tile_gemm.h"

namespace fastweights {

// A tile with kTokens tokens, as PanelTokens, but from the packed records: for
// so few tokens that taking a tile apart costs more than it saves. With three
// tokens V8 keeps all sums in registers; four run at two thirds of the speed.
template <class K, int kTokens>
void TileOfTokens(const uint8_t* tile, const TileInput<typename K::Dot>& x,
                  int token, int rows, float* out, int out_stride) {
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
  const int columns = x.groups * kTileColumns;
  const typename Dot::Code* codes = x.codes + token * columns;
  for (int g = 0; g < x.groups; ++g, tile += K::kRecordBytes) {
    if (g % K::kBlockGroups == 0) tile = scales.Enter(tile);
    I8x16 upper[kHalves];
    for (int h = 0; h < kHalves; ++h) {
      upper[h] = unpack.LoadUpper(tile + h * TileHalfBytes(K::kBits));
    }
    for (int p = 0; p < K::kParts; ++p) {
      typename Dot::Sums dots[kTokens][kHalves];
      for (int t = 0; t < kTokens; ++t) {
        const I32x4 start =
            StartOf<K>(x, ((token + t) * x.groups + g) * K::kParts + p);
        for (auto& dot : dots[t]) dot = Dot::Begin(start);
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
            const auto input = Dot::LoadInput(codes + t * columns);
            for (int h = 0; h < kHalves; ++h) {
              dots[t][h] = Dot::Add(w[h], input, dots[t][h]);
            }
          }
          codes += 4;
        }
      }
      F32x4 scale[kHalves];
      scales.Scale(tile, p, scale);
      for (int t = 0; t < kTokens; ++t) {
        const I32x4 start =
            StartOf<K>(x, ((token + t) * x.groups + g) * K::kParts + p);
        const F32x4 x_scale = Splat(x.scales[(token + t) * x.groups + g]);
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] = AddGroup(Dot::End(dots[t][h], start), float_of_start,
                                scale[h], x_scale, sums[t][h]);
        }
      }
    }
    for (int p = 0; p < K::kParts && K::kOffsets; ++p) {
      F32x4 offset[kHalves];
      scales.Offset(tile, p, offset);
      for (int t = 0; t < kTokens; ++t) {
        const F32x4 sum =
            Splat(x.sums[((token + t) * x.groups + g) * K::kParts + p]);
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] = MulAdd(offset[h], sum, sums[t][h]);
        }
      }
    }
  }
  for (int t = 0; t < kTokens; ++t) {
    StoreRows(sums[t], rows, out + (token + t) * out_stride);
  }
}

// Bytes of tiles that one block of tokens meets before the next one does: they
// fit a second-level cache, and reading so many in one go keeps prefetchers at
// it. With eight tokens Q8_0 is 1.4 times as fast as tile by tile, Q4_0 1.2,
// Q4_K and Q6_K 1.1.
inline constexpr size_t kRunBytes = 192 << 10;

// Tiles [first, last) of a matrix of `rows` rows with a few tokens.
template <class K>
void FewTokens(int rows, const uint8_t* tiles, int first, int last, int tokens,
               const TileInput<typename K::Dot>& x, float* out,
               int out_stride) {
  const size_t tile_bytes = K::TileBytes(x.groups);
  const int run = static_cast<int>(std::max<size_t>(1, kRunBytes / tile_bytes));
  for (int from = first; from < last; from += run) {
    const auto block = [&]<int kTokens>(int t) {
      for (int i = from; i < std::min(from + run, last); ++i) {
        const uint8_t* tile = tiles + tile_bytes * static_cast<size_t>(i);
        const int row = i * kTileRows, left = rows - row;
        TileOfTokens<K, kTokens>(tile, x, t, left, out + row, out_stride);
      }
    };
    int t = 0;
    for (; tokens - t > 4 || tokens - t == 3; t += 3) {
      block.template operator()<3>(t);
    }
    for (; t < tokens; t += 2) block.template operator()<2>(t);
  }
}

}  // namespace fastweights
