// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace fastweights {

// What one block of any quantised type says, nothing lost:
//   w[c] = scale * scales[c / group] * codes[c] + offset * offsets[c / group]
struct BlockParts {
  int8_t codes[256];
  uint16_t scale, offset;  // as TileScales says
  int8_t scales[16];       // all 1 in types without integer scales
  int8_t offsets[16];      // likewise
};

// What each code stands for, where that is looked up.
using CodeLevels = std::array<int8_t, 16>;

// What multiplies a group's codes, and its offset.
enum class TileScales {
  kHalves,    // a binary16 each
  kBfloats,   // the upper half of a float each: any power of two
  kIntegers,  // an int8 each, times a binary16 of the block
};

// How block-quantised weights lie in memory: tiles of eight rows, and in a
// tile one record after another, each of 32 columns:
//
//   codes of rows 0-3    16 * bits bytes
//   codes of rows 4-7    16 * bits bytes
//   scales               one a row; twice that where 16 columns share one,
//                        columns 0-15 first
//   offsets              likewise, where the type has them
//
// so that a product reads a tile from front to back. Where scales and offsets
// are integers, a block's records are without offsets, and before them comes
// its head:
//
//   scale        one a row, which multiplies the integers
//   offset       likewise, where the type has them
//   offsets      of groups 0 and 1, row by row, then of 2 and 3, ...
//
// Four rows by four columns make a quad of sixteen codes, row by row, which is
// what one int8 dot instruction takes; or, where the product has 16-bit lanes,
// the first two columns row by row and then the others (WideDot). A record has
// eight quads for each half of its rows.
//
//   8 bits: quad by quad; signed, or 128 more where the engine's dot product
//           takes weights without a sign.
//   4 bits: four vectors; vector j holds quad 2j in its low nibbles and quad
//           2j + 1 in its high ones.
//   5 bits: two vectors for four quads: in their lower five bits two quads, in
//           their upper three the lower bits of the others; then one vector of
//           the upper two bits of those, the first's lowest.
//   6 bits: three vectors for four quads: in their lower six bits one quad
//           each, in their upper two the fourth, its lowest bits first.
//   2 bits: two vectors of four quads each, the first in the lowest bits.
//   3 bits: three vectors as of 4 bits, of six quads; their fourth bits are
//           those of the seventh quad, and of the eighth, lowest first.
struct TileLayout {
  int bits;           // of a stored code: 2, 3, 4, 5, 6 or 8
  int group;          // columns that share a scale: 16 or 32
  bool offsets;       // whether groups have an offset
  int block;          // columns of a block in the file
  TileScales scales;  // and offsets
  // What products' weights are more than codes or levels; but see
  // WeightZeroPoint.
  int zero_point;
  CodeLevels levels;  // of 4-bit codes; all zero where codes are numbers
};

inline constexpr int kTileRows = 8;
inline constexpr int kTileColumns = 32;

// Bytes of half a record's codes.
inline constexpr int TileHalfBytes(int bits) { return 16 * bits; }

// Groups of a record.
inline constexpr int TileParts(const TileLayout& layout) {
  return kTileColumns / layout.group;
}

inline constexpr bool HasLevels(const TileLayout& layout) {
  return layout.levels[15] != 0;
}

// Whether weights, with the zero point added, fit 7 bits: the relaxed dot
// product then means the same in every engine.
inline constexpr bool HasSevenBits(const TileLayout& layout) {
  if (!HasLevels(layout)) return layout.bits < 8;
  for (const int level : layout.levels) {
    const int weight = level + layout.zero_point;
    if (weight < 0 || weight > 127) return false;
  }
  return true;
}

// The largest weight as the products take it, of those that have seven bits.
inline constexpr int LargestWeight(const TileLayout& layout) {
  if (!HasLevels(layout)) return (1 << layout.bits) - 1;
  int largest = 0;
  for (const int level : layout.levels) {
    if (level + layout.zero_point > largest) {
      largest = level + layout.zero_point;
    }
  }
  return largest;
}

inline constexpr bool HasIntegerScales(const TileLayout& layout) {
  return layout.scales == TileScales::kIntegers;
}

// Bytes of one scale or offset in a record.
inline constexpr int TileScaleBytes(const TileLayout& layout) {
  return HasIntegerScales(layout) ? 1 : 2;
}

// Columns of activations that share a scale when they meet such weights: those
// of the block where its scales are integers, so that all of it is summed up in
// integers, and else 32.
inline constexpr int InputGroup(const TileLayout& layout) {
  return HasIntegerScales(layout) ? layout.block : kTileColumns;
}

// Bytes of a record, without a block's head.
inline constexpr int TileRecordBytes(const TileLayout& layout) {
  const bool offsets = layout.offsets && !HasIntegerScales(layout);
  return 2 * TileHalfBytes(layout.bits) + kTileRows * TileParts(layout) *
                                              (offsets ? 2 : 1) *
                                              TileScaleBytes(layout);
}

// Where a head has the offsets of groups; all of its bytes.
inline constexpr int TileHeadOffsets(const TileLayout& layout) {
  return 2 * kTileRows * (layout.offsets ? 2 : 1);
}
inline constexpr int TileHeadBytes(const TileLayout& layout) {
  if (!HasIntegerScales(layout)) return 0;
  return TileHeadOffsets(layout) +
         (layout.offsets ? kTileRows * layout.block / layout.group : 0);
}

// Bytes of one block of eight rows.
inline constexpr int TileBlockBytes(const TileLayout& layout) {
  return TileHeadBytes(layout) +
         layout.block / kTileColumns * TileRecordBytes(layout);
}

// What a product's weights are more than the codes: the layout's zero point,
// or what this engine wants of signed bytes.
int WeightZeroPoint(const TileLayout& layout);

// What decides how weights lie in memory beside their formats: the build and,
// of relaxed SIMD, the processor. Where it is another, they are packed anew.
// The number in it is raised with every change of how they lie.
std::string PackedLayout();

// The products' weights of a layout's levels. Not inline: a table that the
// compiler knows is one of the constants that V8 rebuilds at every use.
CodeLevels LevelWeights(const TileLayout& layout);

// Packs one block of each of kTileRows rows.
void PackBlock(const TileLayout& layout, const BlockParts* rows, uint8_t* tile);

// One row of a packed block again; the codes as they were.
void UnpackRow(const TileLayout& layout, const uint8_t* tile, int row,
               BlockParts* parts);

// A block's weights as floats, [layout.block].
void Dequantise(const TileLayout& layout, const BlockParts& parts, float* out);

}  // namespace fastweights
