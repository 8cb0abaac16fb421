// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "formats/product_input.h"
#include "formats/tile_few.h"
#include "formats/tile_gemm.h"
#include "formats/tile_gemv.h"
#include "formats/tile_layout.h"
#include "formats/tile_tasks.h"

namespace fastweights {

// TileInput's arrays that only one kind of product needs, in the input's arena.
template <class K>
void AddSums(ProductInput& input, TileInput<typename K::Dot>* x) {
  const QuantisedInput& quantised = input.Quantised();
  const int width = BlockWidth(input.tokens());
  const int groups = quantised.blocks * x->groups;
  Arena& arena = input.workspace().arena();
  if constexpr (!K::kOffsets) {
    const int zero_point = WeightZeroPoint(K::kLayout);
    const int32_t* code_sums = quantised.code_sums;
    int32_t* starts = arena.Take<int32_t>(groups * K::kParts * width);
    int32_t* start = starts;
    for (int g = 0; g < groups; ++g, code_sums += 2 * width) {
      for (int i = 0; i < K::kParts * width; ++i) {
        const int sum =
            K::kParts == 2 ? code_sums[i] : code_sums[i] + code_sums[width + i];
        *start++ = kSumStart - zero_point * sum;
      }
    }
    x->starts = starts;
  } else if constexpr (K::kParts == 1) {
    x->sums = quantised.sums;
  } else {
    float* sums = arena.Take<float>(groups * 2 * width);
    for (int g = 0; g < groups; ++g) {
      for (int i = 0; i < 2 * width; ++i) {
        sums[g * 2 * width + i] =
            quantised.scales[g * width + i % width] *
            static_cast<float>(quantised.code_sums[g * 2 * width + i]);
      }
    }
    x->sums = sums;
  }
}

template <class K>
void RunTiles(int rows, const uint8_t* tiles, ProductInput& input, float* out,
              int out_stride) {
  Workspace& workspace = input.workspace();
  const QuantisedInput& quantised = input.Quantised();
  TileInput<typename K::Dot> x = {
      .codes = nullptr,
      .scales = quantised.scales,
      .sums = nullptr,
      .starts = nullptr,
      .groups = input.columns() / kTileColumns,
  };
  if constexpr (std::is_same_v<typename K::Dot::Code, int16_t>) {
    x.codes = input.Widened();
  } else {
    x.codes = quantised.codes;
  }
  const ArenaScope scope(workspace.arena());
  AddSums<K>(input, &x);
  const int count = (rows + kTileRows - 1) / kTileRows;
  const int tasks =
      TileTasks(workspace.threads().count(), count, K::TileBytes(x.groups));
  workspace.threads().For(tasks, [&](int task, int thread) {
    const auto bound = [&](int of) {
      return static_cast<int>(static_cast<int64_t>(count) * of / tasks);
    };
    const int first = bound(task), last = bound(task + 1);
    if (input.tokens() == 1) {
      OneToken<K>(rows, tiles, first, last, x, out);
      return;
    }
    if (input.tokens() <= kFewTokens<K>) {
      FewTokens<K>(rows, tiles, first, last, input.tokens(), x, out,
                   out_stride);
      return;
    }
    Arena& arena = workspace.thread_arena(thread);
    const ArenaScope panel_scope(arena);
    const Panel panel(K::kLayout, x.groups, arena);
    ManyTokens<K>(rows, tiles, first, last, input.tokens(), x, panel, out,
                  out_stride);
  });
}

// Whether 16 bits hold what half of `columns` columns add up to.
constexpr bool FitShorts(const TileLayout& layout, int columns) {
  return columns / 2 * 127 * LargestWeight(layout) <= INT16_MAX;
}

// out[t][r] = sum_c w[r][c] x[t][c] for all rows of a packed matrix: dot
// products exact in integers within a group, then summed over the groups from
// left to right in float. A token's result does not depend, to the bit, on
// how many tokens there are.
//   Block  a format's (block_format.h): its layout is known at compile time
//   tiles  ceil(rows / kTileRows) tiles of columns / 32 records
//   out    [tokens, rows], rows of out `out_stride` floats apart
// One token streams the tiles once; more take the weights of a tile apart
// first, into scratch of TileScratchBytes from the threads' arenas.
template <class Block>
void TileProduct(int rows, const uint8_t* tiles, ProductInput& x, float* out,
                 int out_stride) {
#ifdef __wasm_relaxed_simd__
  if (RelaxedDotOperand() != WideOperand::kSaturates) {
    return RunTiles<Kind<NarrowDot, Block>>(rows, tiles, x, out, out_stride);
  }
  if constexpr (HasSevenBits(Block::kTile)) {
    constexpr int kLeastColumns = 8;  // two quads'
    static_assert(FitShorts(Block::kTile, kLeastColumns));
    using Dot = ShortDot<FitShorts(Block::kTile, Block::kTile.group)>;
    return RunTiles<Kind<Dot, Block>>(rows, tiles, x, out, out_stride);
  }
#endif
  RunTiles<Kind<WideDot, Block>>(rows, tiles, x, out, out_stride);
}

}  // namespace fastweights
