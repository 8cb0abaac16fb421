// SPDX-License-Identifier: MIT
#pragma once

#include "formats/tile_kinds.h"
#include "formats/tile_scales.h"
#include "formats/tile_streams.h"

namespace fastweights {

// The next group of kCount tiles, whose records are at `record`: added to
// `sums`, or, of kinds with integer scales, to `totals`.
template <class K, int kCount>
__attribute__((always_inline)) inline void AddRecords(
    const Unpacker<K::kBits>& unpack, const Levels<K>& levels,
    const Scales<K>& scales, const uint8_t* const* record,
    const TileInput<typename K::Dot>& x, int group, I32x4 (*totals)[kHalves],
    F32x4 (*sums)[kHalves]) {
  using Dot = typename K::Dot;
  constexpr int kStepQuads = Unpacker<K::kBits>::kStepQuads;
  constexpr int kSteps = K::kQuadsOfRun / kStepQuads;
  const F32x4 float_of_start = Splat(kTileConstants.float_of_start);
  const F32x4 x_scale = Splat(x.scales[group / K::kInputGroups]);
  const typename Dot::Code* codes = x.codes + group * kTileColumns;
  I8x16 upper[kCount][kHalves];
  for (int s = 0; s < kCount; ++s) {
    for (int h = 0; h < kHalves; ++h) {
      upper[s][h] = unpack.LoadUpper(record[s] + h * TileHalfBytes(K::kBits));
    }
  }
  const auto run = [&](int p) __attribute__((always_inline)) {
    const I32x4 start = StartOf<K>(x, group * K::kParts + p);
    typename Dot::Sums dots[kCount][kHalves];
    for (auto& tile_dots : dots) {
      for (auto& dot : tile_dots) dot = BeginRun<K>(start);
    }
    const auto step = [&](int i) __attribute__((always_inline)) {
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
    };
    // Q4_0 and Q4_K with short sums are 5 to 9 % faster; what takes more
    // registers is slower, Q4_1 5 % and Q4_K with 16-bit products 16 %.
    if constexpr (K::kBits == 4 && !K::kLevels && !HasLaneSums<Dot>() &&
                  (K::kIntegers || !K::kOffsets)) {
      UNROLLED
      for (int i = 0; i < kSteps; ++i) step(i);
    } else {
      NOT_UNROLLED
      for (int i = 0; i < kSteps; ++i) step(i);
    }
    for (int s = 0; s < kCount; ++s) {
      if constexpr (K::kIntegers) {
        I32x4 scale[kHalves];
        LoadRunScales<K>(record[s], p, scale);
        for (int h = 0; h < kHalves; ++h) {
          totals[s][h] = Dot::AddScaled(dots[s][h], scale[h], totals[s][h]);
        }
      } else {
        F32x4 scale[kHalves];
        scales.Scale(record[s], p, scale);
        for (int h = 0; h < kHalves; ++h) {
          sums[s][h] = AddGroup(Dot::End(dots[s][h], start), float_of_start,
                                scale[h], x_scale, sums[s][h]);
        }
      }
    }
  };
  // From one place Q2_K and Q3_K are 7 % faster, Q5_K 4 %, Q6_K 1 to 5 %.
  if constexpr (kCount == 1) {
    UNROLLED
    for (int p = 0; p < K::kRuns; ++p) run(p);
  } else {
    NOT_UNROLLED
    for (int p = 0; p < K::kRuns; ++p) run(p);
  }
  for (int p = 0; p < K::kParts && K::kOffsets && !K::kIntegers; ++p) {
    const F32x4 x_sum = Splat(x.sums[group * K::kParts + p]);
    for (int s = 0; s < kCount; ++s) {
      F32x4 offset[kHalves];
      scales.Offset(record[s], p, offset);
      for (int h = 0; h < kHalves; ++h) {
        sums[s][h] = MulAdd(offset[h], x_sum, sums[s][h]);
      }
    }
  }
}

// The end of a block of integer scales, the input's block `block`.
template <class K>
__attribute__((always_inline)) inline void EndBlock(
    const BlockHead<K>& head, const TileInput<typename K::Dot>& x, int block,
    const I32x4* totals, F32x4* sums) {
  const F32x4 x_scale = Splat(x.scales[block]);
  I32x4 minima[kHalves] = {SplatI32(0), SplatI32(0)};
  for (int pair = 0; pair < head.kPairs; ++pair) {
    const I16x8 codes = SplatPair(x.code_sums + block * head.kPairs + pair);
    for (int h = 0; h < kHalves; ++h) {
      minima[h] = Add(minima[h], DotPairs(head.Offsets(pair, h), codes));
    }
  }
  for (int h = 0; h < kHalves; ++h) {
    const F32x4 offset = K::kOffsets ? head.Offset(h) : Splat(0.0f);
    sums[h] = AddBlock<K::kOffsets>(totals[h], head.Scale(h), minima[h], offset,
                                    x_scale, sums[h]);
  }
}

// kCount tiles with one token: every record is read once and used at once.
template <class K, int kCount>
void TilesOneToken(const uint8_t* const* tiles,
                   const TileInput<typename K::Dot>& x,
                   F32x4 (*sums)[kHalves]) {
  // All places at once have more in hand than the registers hold; of Q5_K so
  // much that one record after the other is 1.2 to 1.3 times as fast. Of Q6_K
  // and Q5_0 that is as fast in the cache and slower from memory, of Q3_K and
  // Q2_K, and by 16-bit products, slower.
  constexpr bool kInTurn =
      kCount > 2 && K::kBits == 5 && K::kIntegers && !IsWide<typename K::Dot>();
  const Unpacker<K::kBits> unpack;
  const Levels<K> levels;
  const Scales<K> scales;
  const uint8_t* at[kCount];
  for (int s = 0; s < kCount; ++s) {
    at[s] = tiles[s];
    for (int h = 0; h < kHalves; ++h) sums[s][h] = Splat(0.0f);
  }
  for (int block = 0; block < x.groups; block += K::kBlockGroups) {
    const uint8_t* heads[kCount];
    I32x4 totals[kCount][kHalves];
    for (int s = 0; s < kCount; ++s) {
      heads[s] = at[s];
      at[s] += K::kHeadBytes;
      for (I32x4& total : totals[s]) total = SplatI32(0);
    }
    for (int g = block; g < block + K::kBlockGroups; ++g) {
      if constexpr (kInTurn) {
        NOT_UNROLLED
        for (int s = 0; s < kCount; ++s) {
          AddRecords<K, 1>(unpack, levels, scales, at + s, x, g, totals + s,
                           sums + s);
        }
      } else {
        AddRecords<K, kCount>(unpack, levels, scales, at, x, g, totals, sums);
      }
      for (const uint8_t*& record : at) record += K::kRecordBytes;
    }
    if constexpr (K::kIntegers) {
      for (int s = 0; s < kCount; ++s) {
        EndBlock(BlockHead<K>(heads[s]), x, block / K::kBlockGroups, totals[s],
                 sums[s]);
      }
    }
  }
}

// Tiles [first, last) of a matrix of `rows` rows with one token.
template <class K>
void OneToken(int rows, const uint8_t* tiles, int first, int last,
              const TileInput<typename K::Dot>& x, Reading reading,
              float* out) {
  const auto at_once = [&]<int kPlaces>(const TileRun& of) {
    for (int tile = of.from; tile < of.to; ++tile) {
      const uint8_t* at[kPlaces];
      F32x4 sums[kPlaces][kHalves];
      for (int s = 0; s < kPlaces; ++s) {
        at[s] = tiles + K::TileBytes(x.groups) * (tile + s * of.apart);
      }
      TilesOneToken<K, kPlaces>(at, x, sums);
      for (int s = 0; s < kPlaces; ++s) {
        const int row = (tile + s * of.apart) * kTileRows;
        StoreRows(sums[s], rows - row, out + row);
      }
    }
  };
  const int most =
      reading == Reading::kManyPlaces ? kManyPlaces : kFewPlaces<K>;
  ForPlaces(most, first, last, [&](int places, const TileRun& of) {
    if (places == kManyPlaces) {
      at_once.template operator()<kManyPlaces>(of);
    } else if (places == kFewPlaces<K>) {
      at_once.template operator()<kFewPlaces<K>>(of);
    } else {
      at_once.template operator()<1>(of);
    }
  });
}

}  // namespace fastweights
