// SPDX-License-Identifier: MIT
#include "formats/tile_product.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/check.h"
#include "formats/tile_kinds.h"
#include "kernels/simd.h"

namespace fastweights {

namespace {

// The input of a product, in the form that its dot products take.
template <class Dot>
struct Input {
  const typename Dot::Code* codes;  // [tokens, columns]
  const float* scales;              // [tokens, columns / 32]
  const float* sums;                // [tokens, columns / 32]
  const int32_t* code_sums;         // [tokens, columns / 16]
  int groups;                       // columns / 32
  int zero_point;
  // What was added to every input code: bias * sum(w) is to be taken off.
  int8_t bias;
};

// A tile taken apart: per record the quads of eight rows as bytes, and
// everything else as floats.
struct Panel {
  int8_t* codes;    // [groups, kHalves, kQuads, 16]
  float* scales;    // [groups, parts, kTileRows]
  float* offsets;   // [groups, kTileRows]
  int32_t* biases;  // [groups, parts, kTileRows], bias * sum(w)
};

// bias * sum over a part's columns of the weights: the dot product with a
// constant input.
template <class K>
I32x4 Bias(const I8x16* quads, int8_t bias) {
  if constexpr (std::is_same_v<typename K::Dot::Input, I8x16>) {
    auto sums = K::Dot::Zero();
    for (int j = 0; j < K::kQuadsOfPart; ++j) {
      sums = K::Dot::Add(K::Dot::Of(quads[j]), SplatI8(bias), sums);
    }
    return K::Dot::Finish(sums);
  } else {
    (void)quads, (void)bias;
    return ZeroI32();
  }
}

template <class K>
constexpr bool kHasBias =
    K::kSigned&& std::is_same_v<typename K::Dot::Code, int8_t>;

// Sum of the input codes of a part.
template <class K>
int32_t CodeSum(const Input<typename K::Dot>& x, int row, int part) {
  const int32_t* sums = x.code_sums + 2 * row;
  return K::kParts == 2 ? sums[part] : sums[0] + sums[1];
}

// sum += dot * scale * x_scale, the same steps in the same order for one token
// and for many.
F32x4 AddGroup(I32x4 dot, F32x4 scale, F32x4 x_scale, F32x4 sum) {
  return MulAdd(ToFloat(dot), Mul(scale, x_scale), sum);
}

void StoreRows(const F32x4* sums, int rows, float* out) {
  if (rows >= kTileRows) {
    Store(out, sums[0]);
    Store(out + 4, sums[1]);
    return;
  }
  float all[kTileRows];
  Store(all, sums[0]);
  Store(all + 4, sums[1]);
  std::copy_n(all, rows, out);
}

// One token: every record is read once and used at once.
template <class K>
void OneToken(const TileLayout& layout, int rows, const uint8_t* tiles,
              const Input<typename K::Dot>& x, float* out) {
  using Dot = typename K::Dot;
  const Unpacker<K::kBits> unpack;
  const Levels<K> levels(layout);
  for (int row = 0; row < rows; row += kTileRows) {
    F32x4 sums[kHalves] = {Splat(0.0f), Splat(0.0f)};
    Scales<K> scales;
    for (int g = 0; g < x.groups; ++g, tiles += K::kRecordBytes) {
      if (g % K::kBlockGroups == 0) tiles = scales.Enter(tiles);
      const typename Dot::Code* codes = x.codes + g * kTileColumns;
      const F32x4 x_scale = Splat(x.scales[g]);
      for (int h = 0; h < kHalves; ++h) {
        I8x16 quads[kQuads];
        unpack(tiles + h * TileHalfBytes(K::kBits), quads);
        levels.Apply(quads);
        for (int p = 0; p < K::kParts; ++p) {
          auto dots = Dot::Zero();
          const I8x16* part = quads + p * K::kQuadsOfPart;
          for (int j = 0; j < K::kQuadsOfPart; ++j) {
            const int column = 4 * (p * K::kQuadsOfPart + j);
            dots = Dot::Add(Dot::Of(part[j]), Dot::LoadInput(codes + column),
                            dots);
          }
          I32x4 dot = Dot::Finish(dots);
          if constexpr (kHasBias<K>) {
            dot = Sub(dot, Bias<K>(part, x.bias));
          } else if constexpr (!K::kSigned && !K::kOffsets) {
            dot = Sub(dot, SplatI32(x.zero_point * CodeSum<K>(x, g, p)));
          }
          sums[h] = AddGroup(dot, scales.Scale(tiles, p, h), x_scale, sums[h]);
        }
        if constexpr (K::kOffsets) {
          sums[h] = MulAdd(scales.Offset(tiles, h), Splat(x.sums[g]), sums[h]);
        }
      }
    }
    StoreRows(sums, rows - row, out + row);
  }
}

template <class K>
void TakeApart(const TileLayout& layout, const uint8_t* tile, int groups,
               int8_t bias, const Panel& panel) {
  const Unpacker<K::kBits> unpack;
  const Levels<K> levels(layout);
  Scales<K> scales;
  for (int g = 0; g < groups; ++g, tile += K::kRecordBytes) {
    if (g % K::kBlockGroups == 0) tile = scales.Enter(tile);
    for (int h = 0; h < kHalves; ++h) {
      I8x16 quads[kQuads];
      unpack(tile + h * TileHalfBytes(K::kBits), quads);
      levels.Apply(quads);
      int8_t* codes = panel.codes + (g * kHalves + h) * kQuads * 16;
      for (int j = 0; j < kQuads; ++j) StoreI8(codes + 16 * j, quads[j]);
      for (int p = 0; p < K::kParts; ++p) {
        const int at = (g * K::kParts + p) * kTileRows + 4 * h;
        Store(panel.scales + at, scales.Scale(tile, p, h));
        if constexpr (kHasBias<K>) {
          StoreI32(panel.biases + at,
                   Bias<K>(quads + p * K::kQuadsOfPart, bias));
        }
      }
      if constexpr (K::kOffsets) {
        Store(panel.offsets + g * kTileRows + 4 * h, scales.Offset(tile, h));
      }
    }
  }
}

// Eight rows by kTokens tokens from a panel: their integer sums stay in
// registers for a record, the float ones for the whole length.
template <class K, int kTokens>
void Block(const Panel& panel, const Input<typename K::Dot>& x, int token,
           int rows, float* out, int out_stride) {
  using Dot = typename K::Dot;
  F32x4 sums[kTokens][kHalves];
  for (auto& token_sums : sums) {
    for (F32x4& sum : token_sums) sum = Splat(0.0f);
  }
  const int columns = x.groups * kTileColumns;
  const typename Dot::Code* codes = x.codes + token * columns;
  for (int g = 0; g < x.groups; ++g, codes += kTileColumns) {
    for (int p = 0; p < K::kParts; ++p) {
      typename Dot::Sums dots[kTokens][kHalves];
      for (auto& token_dots : dots) {
        for (auto& dot : token_dots) dot = Dot::Zero();
      }
      for (int j = 0; j < K::kQuadsOfPart; ++j) {
        const int quad = p * K::kQuadsOfPart + j;
        typename Dot::Weights w[kHalves];
        for (int h = 0; h < kHalves; ++h) {
          w[h] = Dot::Of(
              LoadI8(panel.codes + ((g * kHalves + h) * kQuads + quad) * 16));
        }
        for (int t = 0; t < kTokens; ++t) {
          const auto input = Dot::LoadInput(codes + t * columns + 4 * quad);
          for (int h = 0; h < kHalves; ++h) {
            dots[t][h] = Dot::Add(w[h], input, dots[t][h]);
          }
        }
      }
      const int at = (g * K::kParts + p) * kTileRows;
      for (int t = 0; t < kTokens; ++t) {
        const int row = (token + t) * x.groups + g;
        const F32x4 x_scale = Splat(x.scales[row]);
        for (int h = 0; h < kHalves; ++h) {
          I32x4 dot = Dot::Finish(dots[t][h]);
          if constexpr (kHasBias<K>) {
            dot = Sub(dot, LoadI32(panel.biases + at + 4 * h));
          } else if constexpr (!K::kSigned && !K::kOffsets) {
            dot = Sub(dot, SplatI32(x.zero_point * CodeSum<K>(x, row, p)));
          }
          sums[t][h] = AddGroup(dot, Load(panel.scales + at + 4 * h), x_scale,
                                sums[t][h]);
        }
      }
    }
    if constexpr (K::kOffsets) {
      for (int t = 0; t < kTokens; ++t) {
        const F32x4 sum = Splat(x.sums[(token + t) * x.groups + g]);
        for (int h = 0; h < kHalves; ++h) {
          sums[t][h] = MulAdd(Load(panel.offsets + g * kTileRows + 4 * h), sum,
                              sums[t][h]);
        }
      }
    }
  }
  for (int t = 0; t < kTokens; ++t)
    StoreRows(sums[t], rows, out + t * out_stride);
}

template <class K>
void ManyTokens(const TileLayout& layout, int rows, const uint8_t* tiles,
                int tokens, const Input<typename K::Dot>& x, const Panel& panel,
                float* out, int out_stride) {
  for (int row = 0; row < rows; row += kTileRows) {
    TakeApart<K>(layout, tiles, x.groups, x.bias, panel);
    tiles += static_cast<size_t>(x.groups / K::kBlockGroups) *
             TileBlockBytes(K::kLayout);
    const int left = rows - row;
    int t = 0;
    for (; t + 4 <= tokens; t += 4) {
      Block<K, 4>(panel, x, t, left, out + row + t * out_stride, out_stride);
    }
    for (; t < tokens; ++t) {
      Block<K, 1>(panel, x, t, left, out + row + t * out_stride, out_stride);
    }
  }
}

template <class K>
void Run(const TileLayout& layout, int rows, const uint8_t* tiles,
         ProductInput& input, float* out, int out_stride) {
  const QuantisedInput& quantised = input.Quantised();
  Input<typename K::Dot> x = {
      .codes = nullptr,
      .scales = quantised.scales,
      .sums = quantised.sums,
      .code_sums = quantised.code_sums,
      .groups = input.columns() / kTileColumns,
      .zero_point = layout.zero_point,
      .bias = 0,
  };
  if constexpr (std::is_same_v<typename K::Dot::Code, int16_t>) {
    x.codes = input.Widened();
  } else if constexpr (kHasBias<K>) {
#ifdef __wasm_relaxed_simd__
    const bool is_unsigned = RelaxedDotOperand() == WideOperand::kUnsigned;
    x.codes = is_unsigned ? input.Unsigned() : quantised.codes;
    x.bias = is_unsigned ? -128 : 0;
#endif
  } else {
    x.codes = quantised.codes;
  }
  if (input.tokens() == 1) {
    OneToken<K>(layout, rows, tiles, x, out);
    return;
  }
  Arena& arena = input.workspace().thread_arena(0);
  const ArenaScope scope(arena);
  const size_t floats = static_cast<size_t>(x.groups) * K::kParts * kTileRows;
  const Panel panel = {
      .codes = arena.Take<int8_t>(x.groups * kHalves * kQuads * 16),
      .scales = arena.Take<float>(floats),
      .offsets = arena.Take<float>(floats),
      .biases = arena.Take<int32_t>(floats)};
  ManyTokens<K>(layout, rows, tiles, input.tokens(), x, panel, out, out_stride);
}

// Which dot product a kind of weights takes in this build and engine.
template <int kBits, int kGroup, bool kOffsets, int kBlock, bool kLevels>
void Choose(const TileLayout& layout, int rows, const uint8_t* tiles,
            ProductInput& x, float* out, int out_stride) {
#ifdef __wasm_relaxed_simd__
  constexpr bool kSevenBits = kBits < 8 && !kLevels;
  if (kSevenBits || RelaxedDotOperand() != WideOperand::kSaturates) {
    return Run<
        Kind<NarrowDot<kSevenBits>, kBits, kGroup, kOffsets, kBlock, kLevels>>(
        layout, rows, tiles, x, out, out_stride);
  }
#endif
  Run<Kind<WideDot, kBits, kGroup, kOffsets, kBlock, kLevels>>(
      layout, rows, tiles, x, out, out_stride);
}

}  // namespace

size_t TileScratchBytes(const TileLayout& layout, int columns) {
  const size_t groups = static_cast<size_t>(columns / kTileColumns);
  const size_t parts = static_cast<size_t>(kTileColumns / layout.group);
  return AlignedBytes(groups * kHalves * kQuads * 16) +
         3 * AlignedBytes(groups * parts * kTileRows * sizeof(float));
}

void TileProduct(const TileLayout& layout, int rows, const uint8_t* tiles,
                 ProductInput& x, float* out, int out_stride) {
  const auto run = [&](auto product) {
    product(layout, rows, tiles, x, out, out_stride);
  };
  if (layout.levels) return run(Choose<4, 32, false, 32, true>);
  switch (layout.bits) {
    case 4:
      if (layout.block == 256) return run(Choose<4, 32, true, 256, false>);
      return layout.offsets ? run(Choose<4, 32, true, 32, false>)
                            : run(Choose<4, 32, false, 32, false>);
    case 5:
      if (layout.block == 256) return run(Choose<5, 32, true, 256, false>);
      return layout.offsets ? run(Choose<5, 32, true, 32, false>)
                            : run(Choose<5, 32, false, 32, false>);
    case 6:
      return run(Choose<6, 16, false, 256, false>);
    case 8:
      return run(Choose<8, 32, false, 32, false>);
  }
  CHECK(false);
}

}  // namespace fastweights
