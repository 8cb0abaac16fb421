// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "formats/tile_kinds.h"

namespace fastweights {

// Tiles that one token's product reads at once, from as many places. On Zen 5
// Q8_0 reads 40 % more a second by two than by one and 20 % more than by four,
// Q4_0 15 % more than by either. Integer scales take registers, and the sums of
// two tiles with them: Q4_K and Q6_K are 5 to 15 % faster by one than by four,
// and Q5_K, where four at some distances from each other kept what fetches
// ahead from it, up to four times.
template <class K>
inline constexpr int kStreams = K::kIntegers ? 1 : 2;

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
          for (int j = 0; j < kStepQuads; ++j) {
            levels.Apply(&quads[j]);
            dots[s][h] = Dot::Add(Dot::Of(quads[j]), input[j], dots[s][h]);
          }
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
  constexpr int kPlaces = kStreams<K>;
  const size_t tile_bytes = K::TileBytes(x.groups);
  const auto store = [&](const F32x4* sums, int tile) {
    StoreRows(sums, rows - tile * kTileRows, out + tile * kTileRows);
  };
  int i = first;
  if constexpr (kPlaces > 1) {
    const int stream = (last - first) / kPlaces;
    for (; i < first + stream; ++i) {
      const uint8_t* at[kPlaces];
      F32x4 sums[kPlaces][kHalves];
      for (int s = 0; s < kPlaces; ++s) {
        at[s] = tiles + tile_bytes * static_cast<size_t>(i + s * stream);
      }
      TilesOneToken<K, kPlaces>(at, x, sums);
      for (int s = 0; s < kPlaces; ++s) store(sums[s], i + s * stream);
    }
    i = first + kPlaces * stream;
  }
  for (; i < last; ++i) {
    const uint8_t* at = tiles + tile_bytes * static_cast<size_t>(i);
    F32x4 sums[1][kHalves];
    TilesOneToken<K, 1>(&at, x, sums);
    store(sums[0], i);
  }
}

}  // namespace fastweights
