// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fastweights {

// What one block of any quantised type says, nothing lost:
//   w[c] = scale * scales[c / group] * codes[c] + offset * offsets[c / 32]
struct BlockParts {
  int8_t codes[256];
  uint16_t scale, offset;  // half precision
  int8_t scales[16];       // all 1 in types without integer scales
  int8_t offsets[8];       // likewise
};

// How block-quantised weights lie in memory: tiles of eight rows, and in a
// tile one record after another, each of 32 columns:
//
//   codes of rows 0-3    16 * bits bytes
//   codes of rows 4-7    16 * bits bytes
//   scales               one a row; twice that where 16 columns share one,
//                        columns 0-15 first
//   offsets              one a row, where the type has them
//
// so that a product reads a tile from front to back. Where a file's block has
// 32 columns, scales and offsets are halves. Where it has 256, they are int8,
// and before the eight records of a block come the halves that multiply them:
// scale, then offset, one a row.
//
// Four rows by four columns make a quad of sixteen codes, row by row, which is
// what one int8 dot instruction takes: a record has eight quads for each half
// of its rows.
//
//   8 bits: quad by quad; signed, or 128 more where the engine's dot product
//           takes weights without a sign.
//   4 bits: four vectors; vector j holds quad 2j in its low nibbles and quad
//           2j + 1 in its high ones.
//   5 bits: as 4, then one vector whose bit j is the fifth bit of quad j.
//   6 bits: three vectors for four quads: in their lower six bits one quad
//           each, in their upper two the fourth, its lowest bits first.
struct TileLayout {
  int bits;              // of a stored code: 4, 5, 6 or 8
  int group;             // columns that share a scale: 16 or 32
  bool offsets;          // whether groups (of 32) have an offset
  int block;             // columns of a block: 32 or 256
  int zero_point;        // stored code minus this is the code, but for 8 bits
  const int8_t* levels;  // [16], what 4-bit codes stand for; else null
};

inline constexpr int kTileRows = 8;
inline constexpr int kTileColumns = 32;

// Bytes of half a record's codes.
inline constexpr int TileHalfBytes(int bits) { return 16 * bits; }

// Bytes of one scale or offset in a record.
inline constexpr int TileScaleBytes(const TileLayout& layout) {
  return layout.block == 256 ? 1 : 2;
}

// Bytes of a record, without what precedes a block's records.
inline constexpr int TileRecordBytes(const TileLayout& layout) {
  const int scales = kTileColumns / layout.group + (layout.offsets ? 1 : 0);
  return 2 * TileHalfBytes(layout.bits) +
         kTileRows * scales * TileScaleBytes(layout);
}

// Bytes of what precedes them.
inline constexpr int TileHeadBytes(const TileLayout& layout) {
  return layout.block == 256 ? 2 * kTileRows * (layout.offsets ? 2 : 1) : 0;
}

// Bytes of one block of eight rows.
inline constexpr int TileBlockBytes(const TileLayout& layout) {
  return TileHeadBytes(layout) +
         layout.block / kTileColumns * TileRecordBytes(layout);
}

// What a product's weights are more than the codes: the layout's zero point,
// or what this engine wants of signed bytes.
int WeightZeroPoint(const TileLayout& layout);

// Packs one block of each of kTileRows rows.
void PackBlock(const TileLayout& layout, const BlockParts* rows, uint8_t* tile);

// One row of a packed block again; the codes as they were.
void UnpackRow(const TileLayout& layout, const uint8_t* tile, int row,
               BlockParts* parts);

// A block's weights as floats, [layout.block].
void Dequantise(const TileLayout& layout, const BlockParts& parts, float* out);

}  // namespace fastweights
