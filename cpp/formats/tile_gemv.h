// SPDX-License-Identifier: MIT
#pragma once

#include "formats/tile_kinds.h"
#include "formats/tile_streams.h"

namespace fastweights {

// The next group of kCount tiles, whose records are at `record`.
template <class K, int kCount>
__attribute__((always_inline)) inline void AddRecords(
    const Unpacker<K::kBits>& unpack, const Levels<K>& levels,
    const Scales<K>* scales, const uint8_t* const* record,
    const TileInput<typename K::Dot>& x, int group, F32x4 (*sums)[kHalves]) {
  using Dot = typename K::Dot;
  constexpr int kStepQuads = Unpacker<K::kBits>::kStepQuads;
  constexpr int kSteps = K::kQuadsOfPart / kStepQuads;
  const F32x4 float_of_start = Splat(kTileConstants.float_of_start);
  const F32x4 x_scale = Splat(x.scales[group]);
  const typename Dot::Code* codes = x.codes + group * kTileColumns;
  I8x16 upper[kCount][kHalves];
  for (int s = 0; s < kCount; ++s) {
    for (int h = 0; h < kHalves; ++h) {
      upper[s][h] = unpack.LoadUpper(record[s] + h * TileHalfBytes(K::kBits));
    }
  }
  NOT_UNROLLED
  for (int p = 0; p < K::kParts; ++p) {
    const I32x4 start = StartOf<K>(x, group * K::kParts + p);
    typename Dot::Sums dots[kCount][kHalves];
    for (auto& tile_dots : dots) {
      for (auto& dot : tile_dots) dot = Dot::Begin(start);
    }
    NOT_UNROLLED
    for (int i = 0; i < kSteps; ++i) {
      typename Dot::Input input[kStepQuads];
      for (auto& quad : input) {
        quad = Dot::LoadInput(codes);
        codes += 4;
      }
      for (int s = 0; s < kCount; ++s) {
        for (int h = 0; h < kHalves; ++h) {
          I8x16 quads[kStepQuads];
          unpack.Next(record[s] + h * TileHalfBytes(K::kBits), p * kSteps + i,
                      &upper[s][h], quads);
          // Loads stay in the order of their addresses, as prefetchers like
          // them: 3 to 5 %. (std::atomic_signal_fence would do, but objects
          // with it link with threads or without, not both.)
          __asm__ volatile("" ::: "memory");
          typename Dot::Weights w[kStepQuads];
          for (int j = 0; j < kStepQuads; ++j) {
            levels.Apply(&quads[j]);
            w[j] = Dot::Of(quads[j]);
          }
          dots[s][h] = Dot::template Add<kStepQuads>(w, input, dots[s][h]);
        }
      }
    }
    for (int s = 0; s < kCount; ++s) {
      F32x4 scale[kHalves];
      scales[s].Scale(record[s], p, scale);
      for (int h = 0; h < kHalves; ++h) {
        sums[s][h] = AddGroup(Dot::End(dots[s][h], start), float_of_start,
                              scale[h], x_scale, sums[s][h]);
      }
    }
  }
  for (int p = 0; p < K::kParts && K::kOffsets; ++p) {
    const F32x4 x_sum = Splat(x.sums[group * K::kParts + p]);
    for (int s = 0; s < kCount; ++s) {
      F32x4 offset[kHalves];
      scales[s].Offset(record[s], p, offset);
      for (int h = 0; h < kHalves; ++h) {
        sums[s][h] = MulAdd(offset[h], x_sum, sums[s][h]);
      }
    }
  }
}

// kCount tiles with one token: every record is read once and used at once.
template <class K, int kCount>
void TilesOneToken(const uint8_t* const* tiles,
                   const TileInput<typename K::Dot>& x,
                   F32x4 (*sums)[kHalves]) {
  const Unpacker<K::kBits> unpack;
  const Levels<K> levels;
  const uint8_t* at[kCount];
  Scales<K> scales[kCount];
  for (int s = 0; s < kCount; ++s) {
    at[s] = tiles[s];
    for (int h = 0; h < kHalves; ++h) sums[s][h] = Splat(0.0f);
  }
  for (int block = 0; block < x.groups; block += K::kBlockGroups) {
    // Nor this: the scales of a block are to lie in memory, not to be moved
    // between registers at every group (Q4_K 25 % slower, Q6_K 20 %).
    NOT_UNROLLED
    for (int s = 0; s < kCount; ++s) at[s] = scales[s].Enter(at[s]);
    for (int g = block; g < block + K::kBlockGroups; ++g) {
      AddRecords<K, kCount>(unpack, levels, scales, at, x, g, sums);
      for (const uint8_t*& record : at) record += K::kRecordBytes;
    }
  }
}

// Tiles [first, last) of a matrix of `rows` rows with one token.
template <class K>
void OneToken(int rows, const uint8_t* tiles, int first, int last,
              const TileInput<typename K::Dot>& x, float* out) {
  ForStreams<kStreams<K>>(first, last, [&](auto count, int tile, int apart) {
    constexpr int kCount = count.value;
    const uint8_t* at[kCount];
    F32x4 sums[kCount][kHalves];
    for (int s = 0; s < kCount; ++s) {
      at[s] = tiles + K::TileBytes(x.groups) * (tile + s * apart);
    }
    TilesOneToken<K, kCount>(at, x, sums);
    for (int s = 0; s < kCount; ++s) {
      const int row = (tile + s * apart) * kTileRows;
      StoreRows(sums[s], rows - row, out + row);
    }
  });
}

}  // namespace fastweights
