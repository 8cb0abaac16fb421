// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/arena.h"
#include "formats/tile_scales.h"

namespace fastweights {

// What the products of panels depend on: formats share them.
template <class DotT, int kPartsT, bool kOffsetsT>
struct FloatPanel {
  using Dot = DotT;
  using Input = DotT;  // as TileInput names it
  static constexpr bool kScaled = false;
  static constexpr bool kIntegers = false;
  static constexpr int kParts = kPartsT;
  static constexpr bool kOffsets = kOffsetsT;
  static constexpr int kQuadsOfRun = kQuads / kParts;
};

// Of integer scales. Weights of 16-bit products are multiplied by theirs as a
// tile is taken apart, so that all of a block is one run.
template <class DotT, int kPartsT, bool kOffsetsT, int kQuadsOfRunT>
struct IntegerPanel {
  static constexpr bool kScaled = std::is_same_v<DotT, WideDot>;
  using Dot = std::conditional_t<kScaled, ScaledDot, DotT>;
  using Input = DotT;
  static constexpr bool kIntegers = true;
  static constexpr int kParts = kPartsT;
  static constexpr bool kOffsets = kOffsetsT;
  static constexpr int kQuadsOfRun = kQuadsOfRunT;
  static constexpr int kRuns = kQuads / kQuadsOfRun;  // of a record
  static constexpr int kBlockGroups = 8;
  static constexpr int kPairs = kOffsets ? kBlockGroups * kParts / 2 : 0;
};

template <class K>
using PanelKindOf = std::conditional_t<
    K::kIntegers,
    IntegerPanel<typename K::Dot, K::kParts, K::kOffsets, K::kQuadsOfRun>,
    FloatPanel<typename K::Dot, K::kParts, K::kOffsets>>;

// Bytes of a record's codes, taken apart.
inline constexpr int kRecordCodes = kQuads * kHalves * 16;

// A tile taken apart: per record the quads of eight rows as bytes, and
// everything else as floats; TileScratchBytes (tile_scratch.h) in all, here and
// below.
template <class P>
struct Panel {
  Panel(int groups, Arena& arena)
      : codes(arena.Take<int8_t>(groups * kRecordCodes)),
        scales(arena.Take<float>(groups * P::kParts * kTileRows)),
        offsets(P::kOffsets ? arena.Take<float>(groups * P::kParts * kTileRows)
                            : nullptr) {}

  int8_t* codes;   // [groups, kQuads, kHalves, 16]
  float* scales;   // [groups, parts, kTileRows]
  float* offsets;  // likewise, where the type has them
};

// The same of integer scales, which stay integers.
template <class P>
requires P::kIntegers struct Panel<P> {
  using Stored = typename P::Dot::Stored;

  Panel(int groups, Arena& arena)
      : codes(arena.Take<Stored>(groups * kRecordCodes)),
        scales(P::kScaled
                   ? nullptr
                   : arena.Take<int32_t>(groups * P::kParts * kTileRows)),
        of_blocks(arena.Take<float>(groups / P::kBlockGroups * kTileRows *
                                    (P::kOffsets ? 2 : 1))),
        offsets(P::kOffsets
                    ? arena.Take<int16_t>(groups * P::kParts * kTileRows)
                    : nullptr) {}

  Stored* codes;     // [groups, kQuads, kHalves, 16]
  int32_t* scales;   // [groups, parts, kTileRows], as AddScaled takes them
  float* of_blocks;  // [blocks, scale and offset, kTileRows]
  int16_t* offsets;  // [blocks, pairs, kTileRows, 2]
};

template <class K>
void TakeApart(const uint8_t* tile, int groups,
               const Panel<PanelKindOf<K>>& panel) {
  using P = PanelKindOf<K>;
  using Stored = typename P::Dot::Stored;
  constexpr int kStepQuads = Unpacker<K::kBits>::kStepQuads;
  constexpr bool kScaled = P::kScaled;
  const Unpacker<K::kBits> unpack;
  const Levels<K> levels;
  const Scales<K> scales;
  [[maybe_unused]] const I16x8 zero =
      SplatI16(static_cast<int16_t>(WeightZeroPoint(K::kLayout)));
  for (int g = 0; g < groups; ++g, tile += K::kRecordBytes) {
    if constexpr (K::kIntegers) {
      if (g % K::kBlockGroups == 0) {
        const BlockHead<K> head(tile);
        const int block = g / K::kBlockGroups;
        float* of_block =
            panel.of_blocks + block * kTileRows * (K::kOffsets ? 2 : 1);
        for (int h = 0; h < kHalves; ++h) {
          Store(of_block + 4 * h, head.Scale(h));
          if constexpr (K::kOffsets) {
            Store(of_block + kTileRows + 4 * h, head.Offset(h));
          }
          for (int pair = 0; pair < head.kPairs; ++pair) {
            StoreI16(panel.offsets +
                         2 * kTileRows * (block * head.kPairs + pair) + 8 * h,
                     head.Offsets(pair, h));
          }
        }
        tile = head.records();
      }
    }
    Stored* codes = panel.codes + g * kRecordCodes;
    [[maybe_unused]] I16x8 pairs[K::kParts][kHalves];
    if constexpr (kScaled) {
      for (int p = 0; p < K::kParts; ++p) {
        LoadPairs(tile + K::kCodeBytes + p * K::kScaleBytes, &pairs[p][0],
                  &pairs[p][1]);
      }
    }
    for (int h = 0; h < kHalves; ++h) {
      const uint8_t* half = tile + h * TileHalfBytes(K::kBits);
      I8x16 upper = unpack.LoadUpper(half);
      for (int quad = 0; quad < kQuads; quad += kStepQuads) {
        I8x16 quads[kStepQuads];
        unpack.Next(half, quad / kStepQuads, &upper, quads);
        for (int j = 0; j < kStepQuads; ++j) {
          levels.Apply(&quads[j]);
          Stored* to = codes + ((quad + j) * kHalves + h) * 16;
          if constexpr (kScaled) {
            ScaledDot::StoreWeights(quads[j], zero,
                                    pairs[(quad + j) / K::kQuadsOfPart][h], to);
          } else {
            StoreI8(to, quads[j]);
          }
        }
      }
    }
    for (int p = 0; p < K::kParts; ++p) {
      const int at = (g * K::kParts + p) * kTileRows;
      if constexpr (!K::kIntegers) {
        F32x4 rows[kHalves];
        scales.Scale(tile, p, rows);
        Store(panel.scales + at, rows[0]);
        Store(panel.scales + at + 4, rows[1]);
        if constexpr (!K::kOffsets) continue;
        scales.Offset(tile, p, rows);
        Store(panel.offsets + at, rows[0]);
        Store(panel.offsets + at + 4, rows[1]);
      } else if constexpr (!kScaled) {
        I32x4 rows[kHalves];
        LoadRunScales<K>(tile, p * K::kRuns / K::kParts, rows);
        StoreI32(panel.scales + at, rows[0]);
        StoreI32(panel.scales + at + 4, rows[1]);
      }
    }
  }
}

}  // namespace fastweights
