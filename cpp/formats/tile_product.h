// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/product_input.h"
#include "formats/tile_few.h"
#include "formats/tile_gemm.h"
#include "formats/tile_gemv.h"
#include "formats/tile_layout.h"
#include "formats/tile_scratch.h"

namespace fastweights {

// Tokens whose inputs may be taken in halves: the sums of more do not fit the
// registers.
inline constexpr int kMostHalved = 2;

// TileInput's arrays that only one kind of product needs, in the input's arena.
template <class K>
void AddSums(ProductInput& input, const QuantisedInput& quantised,
             TileInput<typename K::Dot>* x) {
  using Dot = typename K::Dot;
  const int width = BlockWidth(input.tokens());
  const int parts = quantised.blocks * x->groups * K::kParts;
  Arena& arena = input.workspace().arena();
  const PairSums* sums = quantised.sums;
  // Calls use(index, lane, first, second) with the sums of each part's codes.
  const auto for_parts = [&](const auto& use) {
    for (int i = 0; i < parts; ++i) {
      for (int lane = 0; lane < width; ++lane) {
        int first = 0, second = 0;
        for (int j = 0; j < 2 / K::kParts; ++j) {
          const PairSums& of = sums[(2 / K::kParts * i + j) * width + lane];
          first += of.first;
          second += of.second;
        }
        use(i, lane, first, second);
      }
    }
  };
  if constexpr (!K::kOffsets) {
    const int zero_point = WeightZeroPoint(K::kLayout);
    int32_t* starts = arena.Take<int32_t>(parts * width);
    for_parts([&](int i, int lane, int first, int second) {
      int32_t* start = starts + i * width + lane;
      if constexpr (K::kIntegers) {
        *start = Dot::Start(-zero_point * first, -zero_point * second);
      } else {
        *start = kSumStart - zero_point * (first + second);
      }
    });
    x->starts = starts;
  } else if constexpr (K::kIntegers) {
    PairSums* code_sums = arena.Take<PairSums>(parts / 2 * width);
    for_parts([&](int i, int lane, int first, int second) {
      PairSums& pair = code_sums[i / 2 * width + lane];
      (i % 2 ? pair.second : pair.first) = static_cast<int16_t>(first + second);
    });
    x->code_sums = code_sums;
  } else {
    const float* scales = quantised.scales;
    float* values = arena.Take<float>(parts * width);
    for_parts([&](int i, int lane, int first, int second) {
      values[i * width + lane] = scales[i / K::kParts * width + lane] *
                                 static_cast<float>(first + second);
    });
    x->sums = values;
  }
}

template <class K>
ProductParts PartsOf(int rows, const uint8_t* tiles, ProductInput& input,
                     float* out, int out_stride) {
  constexpr int kGroup = InputGroup(K::kLayout);
  const QuantisedInput& quantised = input.Quantised(kGroup);
  TileInput<typename K::Dot> x = {
      .codes = nullptr,
      .scales = quantised.scales,
      .sums = nullptr,
      .code_sums = nullptr,
      .starts = nullptr,
      .groups = input.columns() / kTileColumns,
  };
  if constexpr (IsWide<typename K::Dot>()) {
    x.codes = input.Widened(kGroup);
  } else if constexpr (HasHalves<typename K::Dot>()) {
    x.codes =
        reinterpret_cast<const typename K::Dot::Code*>(input.Halved(kGroup));
  } else {
    x.codes = quantised.codes;
  }
  AddSums<K>(input, quantised, &x);
  const auto run = [=, tokens = input.tokens(),
                    reading = input.workspace().reading()](int first, int last,
                                                           Arena& arena) {
    // HalvesDot is for the fewest tokens, and takes these from WideDot.
    if constexpr (kWideProducts || !IsWide<typename K::Dot>()) {
      if (tokens == 1) {
        OneToken<K>(rows, tiles, first, last, x, reading, out);
        return;
      }
    }
    if constexpr (HasHalves<typename K::Dot>()) {
      TokensOfPlaces<K, kMostHalved>(rows, tiles, 1, {first, last}, 0, x, out,
                                     out_stride);
    } else if (tokens <= kFewTokens<K>) {
      FewTokens<K>(rows, tiles, first, last, tokens, x, reading, out,
                   out_stride);
    } else {
      const ArenaScope panel_scope(arena);
      const Panel<PanelKindOf<K>> panel(x.groups, arena);
      ManyTokens<K>(rows, tiles, first, last, tokens, x, panel, out,
                    out_stride);
    }
  };
  const size_t weights = static_cast<size_t>(input.columns()) * kTileRows;
  return {(rows + kTileRows - 1) / kTileRows,
          PartCost(input.tokens(), K::TileBytes(x.groups), weights), run};
}

// out[t][r] = sum_c w[r][c] x[t][c] for all rows of a packed matrix: dot
// products exact in integers within InputGroup columns, then summed over those
// from left to right in float. A token's result does not depend, to the bit, on
// how many tokens there are.
//   Block  a format's (block_format.h): its layout is known at compile time
//   tiles  ceil(rows / kTileRows) tiles of columns / 32 records
//   out    [tokens, rows], rows of out `out_stride` floats apart
// One token streams the tiles once; more take the weights of a tile apart
// first, into scratch of TileScratchBytes from the threads' arenas.
template <class Block>
ProductParts TileProduct(int rows, const uint8_t* tiles, ProductInput& x,
                         float* out, int out_stride) {
#ifdef __wasm_relaxed_simd__
  if (RelaxedDotOperand() != WideOperand::kSaturates) {
    return PartsOf<Kind<NarrowDot, Block>>(rows, tiles, x, out, out_stride);
  }
  if constexpr (HasSevenBits(Block::kTile)) {
    constexpr TileLayout kTile = Block::kTile;
    constexpr int kLeastColumns = 8;  // two quads'
    static_assert(FitShorts(kTile, kLeastColumns, HasIntegerScales(kTile)));
    using Dot = ShortDot<HasIntegerScales(kTile) ||
                         FitShorts(kTile, kTile.group, false)>;
    return PartsOf<Kind<Dot, Block>>(rows, tiles, x, out, out_stride);
  } else if (x.tokens() <= kMostHalved) {
    return PartsOf<Kind<HalvesDot, Block>>(rows, tiles, x, out, out_stride);
  } else {
    return PartsOf<Kind<WideDot, Block>>(rows, tiles, x, out, out_stride);
  }
#else
  return PartsOf<Kind<WideDot, Block>>(rows, tiles, x, out, out_stride);
#endif
}

}  // namespace fastweights
