// SPDX-License-Identifier: MIT
#pragma once

// Eight rows, taken apart, by a block of tokens.

#include <algorithm>
#include <cstdint>

#include "formats/tile_panel.h"

namespace fastweights {

// With a tile's eight rows, a block of tokens has as many sums as hide the dot
// product's latency and still fit V8's fifteen registers.
static_assert(kTokenBlock == 4);

// Quads an iteration: with more V8 runs out of registers.
template <class P>
constexpr int StepQuads() {
  constexpr bool kPairs = !HasLaneSums<typename P::Dot>();
  if (P::kParts > 1 || IsWide<typename P::Dot>() || (kPairs && P::kIntegers)) {
    return QuadsAtOnce<typename P::Dot>();
  }
  return 2;
}

// Adds a run of columns to the integer sums of a block of tokens, kStep quads
// an iteration.
template <class Dot, int kQuadsOfRun, int kStep>
__attribute__((always_inline)) inline void AddRun(
    const typename Dot::Stored*& quads, const typename Dot::Code*& codes,
    typename Dot::Sums (*dots)[kHalves]) {
  constexpr int kAtOnce = QuadsAtOnce<Dot>();
  NOT_UNROLLED
  for (int j = 0; j < kQuadsOfRun; j += kStep) {
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
}

// Eight rows by a block of tokens from a panel: their integer sums stay in
// registers for a group, the float ones for the whole length.
//   tokens  how many of the block's are wanted; zeros fill it up
template <class P>
void PanelBlock(const Panel<P>& panel, const TileInput<typename P::Input>& x,
                int block, int tokens, int rows, float* out, int out_stride) {
  using Dot = typename P::Dot;
  const F32x4 float_of_start = Splat(kTileConstants.float_of_start);
  F32x4 sums[kTokenBlock][kHalves];
  for (auto& token_sums : sums) {
    for (F32x4& sum : token_sums) sum = Splat(0.0f);
  }
  int group = block * x.groups;
  const typename Dot::Code* codes =
      x.codes + static_cast<size_t>(group) * kTileColumns * kTokenBlock;
  const typename Dot::Stored* quads = panel.codes;
  const float* scales = panel.scales;
  const float* offsets = panel.offsets;
  for (int g = 0; g < x.groups; ++g, ++group) {
    const F32x4 x_scales = Load(x.scales + kTokenBlock * group);
    for (int p = 0; p < P::kParts; ++p) {
      const Starts<P> starts(x, group * P::kParts + p);
      typename Dot::Sums dots[kTokenBlock][kHalves];
      for (int t = 0; t < kTokenBlock; ++t) {
        for (auto& dot : dots[t]) dot = BeginRun<P>(starts.Of(t));
      }
      AddRun<Dot, P::kQuadsOfRun, StepQuads<P>()>(quads, codes, dots);
      for (int t = 0; t < kTokenBlock; ++t) {
        const F32x4 x_scale = Lane(x_scales, t);
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] =
              AddGroup(Dot::End(dots[t][h], starts.Of(t)), float_of_start,
                       Load(scales + 4 * h), x_scale, sums[t][h]);
        }
      }
      scales += kTileRows;
    }
    for (int p = 0; p < P::kParts && P::kOffsets; ++p) {
      const F32x4 x_sums = Load(x.sums + kTokenBlock * (group * P::kParts + p));
      for (int t = 0; t < kTokenBlock; ++t) {
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] =
              MulAdd(Load(offsets + 4 * h), Lane(x_sums, t), sums[t][h]);
        }
      }
      offsets += kTileRows;
    }
    // Q8_0 and Q4_0 1 % faster; those with offsets lose as much.
    if constexpr (!P::kOffsets) KeepInMemory(sums);
  }
  for (int t = 0; t < tokens; ++t) {
    StoreRows(sums[t], rows, out + t * out_stride);
  }
}

// The integer sums of the next block of kinds with integer scales: of runs of
// columns, each multiplied by its scales as it is added.
//   starts  [runs, kTokenBlock], of kinds without offsets
template <class P>
__attribute__((always_inline)) inline void BlockTotals(
    const typename P::Dot::Stored*& quads, const int32_t*& scales,
    const typename P::Dot::Code*& codes, const int32_t*& starts,
    I32x4 (*totals)[kHalves]) {
  using Dot = typename P::Dot;
  typename Dot::Sums dots[kTokenBlock][kHalves];
  const auto begin = [&](const auto& start_of) {
    for (int t = 0; t < kTokenBlock; ++t) {
      const I32x4 start = start_of(t);
      for (auto& dot : dots[t]) dot = Dot::From(start);
    }
  };
  const auto zero = [](int) { return SplatI32(0); };
  if constexpr (P::kScaled) {
    begin(zero);
    AddRun<Dot, kQuads * P::kBlockGroups, 1>(quads, codes, dots);
    std::copy_n(dots[0], kTokenBlock * kHalves, totals[0]);
  } else {
    std::fill_n(totals[0], kTokenBlock * kHalves, SplatI32(0));
    for (int p = 0; p < P::kParts * P::kBlockGroups; ++p) {
      for (int run = 0; run < P::kRuns / P::kParts; ++run) {
        if constexpr (P::kOffsets) {
          begin(zero);
        } else {
          begin([&](int t) { return SplatI32(starts[t]); });
          starts += kTokenBlock;
        }
        AddRun<Dot, P::kQuadsOfRun, StepQuads<P>()>(quads, codes, dots);
        const I32x4 scale[kHalves] = {LoadI32(scales), LoadI32(scales + 4)};
        for (int t = 0; t < kTokenBlock; ++t) {
          for (int h = 0; h < kHalves; ++h) {
            totals[t][h] = Dot::AddScaled(dots[t][h], scale[h], totals[t][h]);
          }
        }
        KeepInMemory(totals);
      }
      scales += kTileRows;
    }
  }
}

// The same of integer scales: what becomes a float is the sum of a block.
template <class P>
requires P::kIntegers void PanelBlock(const Panel<P>& panel,
                                      const TileInput<typename P::Input>& x,
                                      int block, int tokens, int rows,
                                      float* out, int out_stride) {
  using Dot = typename P::Dot;
  F32x4 sums[kTokenBlock][kHalves];
  for (auto& token_sums : sums) {
    for (F32x4& sum : token_sums) sum = Splat(0.0f);
  }
  const int group = block * x.groups, of_tokens = group / P::kBlockGroups;
  const typename Dot::Code* codes =
      x.codes + static_cast<size_t>(group) * kTileColumns * kTokenBlock;
  const float* x_scales = x.scales + kTokenBlock * of_tokens;
  const PairSums* x_sums = x.code_sums + kTokenBlock * of_tokens * P::kPairs;
  const int32_t* starts =
      P::kOffsets ? nullptr : x.starts + kTokenBlock * group * P::kParts;
  const typename Dot::Stored* quads = panel.codes;
  const int32_t* scales = panel.scales;
  const int16_t* offsets = panel.offsets;
  const float* of_block = panel.of_blocks;
  for (int b = 0; b < x.groups; b += P::kBlockGroups) {
    I32x4 totals[kTokenBlock][kHalves], minima[kTokenBlock][kHalves];
    BlockTotals<P>(quads, scales, codes, starts, totals);
    KeepInMemory(totals);
    std::fill_n(minima[0], kTokenBlock * kHalves, SplatI32(0));
    NOT_UNROLLED
    for (int pair = 0; pair < P::kPairs; ++pair) {
      const I16x8 of_rows[kHalves] = {LoadI16(offsets), LoadI16(offsets + 8)};
      for (int t = 0; t < kTokenBlock; ++t) {
        const I16x8 of_token = SplatPair(x_sums + t);
        for (int h = 0; h < kHalves; ++h) {
          minima[t][h] = Add(minima[t][h], DotPairs(of_rows[h], of_token));
        }
      }
      offsets += 2 * kTileRows;
      x_sums += kTokenBlock;
    }
    for (int t = 0; t < kTokenBlock; ++t) {
      for (int h = 0; h < kHalves; ++h) {
        sums[t][h] = AddBlock<P::kOffsets>(
            totals[t][h], Load(of_block + 4 * h), minima[t][h],
            P::kOffsets ? Load(of_block + kTileRows + 4 * h) : Splat(0.0f),
            Splat(x_scales[t]), sums[t][h]);
      }
    }
    of_block += kTileRows * (P::kOffsets ? 2 : 1);
    x_scales += kTokenBlock;
    KeepInMemory(sums);
  }
  for (int t = 0; t < tokens; ++t) {
    StoreRows(sums[t], rows, out + t * out_stride);
  }
}

}  // namespace fastweights
