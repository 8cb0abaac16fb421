// SPDX-License-Identifier: MIT
#pragma once

// How the products of tile_product.cc read a tile: what a kind of product
// knows at compile time, and the parts of a record as vectors.

#include <cstdint>

#include "formats/tile_layout.h"
#include "kernels/simd.h"

namespace fastweights {

// 0x0f, 0x10, 0x30: defined in tile_layout.cc, where the compiler cannot see
// them from a product's loops. V8 rebuilds a constant vector at every use, a
// load it hoists.
extern const int8_t kTileMasks[3];

inline constexpr int kQuads = 8;   // of four rows in a record
inline constexpr int kHalves = 2;  // of four rows in a tile

// Takes the codes of four rows apart: eight quads of stored codes.
template <int kBits>
struct Unpacker {
  I8x16 low_nibble = SplatI8(kTileMasks[0]);
  I8x16 fifth_bit = SplatI8(kTileMasks[1]);
  I8x16 upper_bits = SplatI8(kTileMasks[2]);

  void operator()(const uint8_t* half, I8x16* quads) const {
    if constexpr (kBits == 8) {
      for (int j = 0; j < kQuads; ++j) quads[j] = LoadU8(half + 16 * j);
      return;
    }
    for (int j = 0; j < 4; ++j) {
      const I8x16 pair = LoadU8(half + 16 * j);
      quads[j] = And(pair, low_nibble);
      quads[j + 4] = And(ShiftRight16<4>(pair), low_nibble);
    }
    if constexpr (kBits == 5) {
      const I8x16 h = LoadU8(half + 64);
      quads[0] = Or(quads[0], And(ShiftLeft16<4>(h), fifth_bit));
      quads[1] = Or(quads[1], And(ShiftLeft16<3>(h), fifth_bit));
      quads[2] = Or(quads[2], And(ShiftLeft16<2>(h), fifth_bit));
      quads[3] = Or(quads[3], And(ShiftLeft16<1>(h), fifth_bit));
      quads[4] = Or(quads[4], And(h, fifth_bit));
      quads[5] = Or(quads[5], And(ShiftRight16<1>(h), fifth_bit));
      quads[6] = Or(quads[6], And(ShiftRight16<2>(h), fifth_bit));
      quads[7] = Or(quads[7], And(ShiftRight16<3>(h), fifth_bit));
    }
    if constexpr (kBits == 6) {
      for (int part = 0; part < 2; ++part) {
        const I8x16 h = LoadU8(half + 64 + 16 * part);
        I8x16* q = quads + 4 * part;
        q[0] = Or(q[0], And(ShiftLeft16<4>(h), upper_bits));
        q[1] = Or(q[1], And(ShiftLeft16<2>(h), upper_bits));
        q[2] = Or(q[2], And(h, upper_bits));
        q[3] = Or(q[3], And(ShiftRight16<2>(h), upper_bits));
      }
    }
  }
};

// What a kind of product knows at compile time.
template <class DotT, int kBitsT, int kGroupT, bool kOffsetsT, int kBlockT,
          bool kLevelsT>
struct Kind {
  using Dot = DotT;
  static constexpr int kBits = kBitsT;
  static constexpr int kParts = kTileColumns / kGroupT;
  static constexpr bool kOffsets = kOffsetsT;
  static constexpr bool kLevels = kLevelsT;
  // Weights that are signed bytes; others are 0 to 63 less a zero point.
  static constexpr bool kSigned = kBitsT == 8 || kLevelsT;
  static constexpr int kQuadsOfPart = kQuads / kParts;
  // Scales are int8 under a half per block, or halves by themselves.
  static constexpr bool kIntegers = kBlockT == 256;
  static constexpr TileLayout kLayout = {.bits = kBitsT,
                                         .group = kGroupT,
                                         .offsets = kOffsetsT,
                                         .block = kBlockT,
                                         .zero_point = 0,
                                         .levels = nullptr};
  static constexpr int kCodeBytes = 2 * TileHalfBytes(kBitsT);
  static constexpr int kScaleBytes = kTileRows * TileScaleBytes(kLayout);
  static constexpr int kRecordBytes = TileRecordBytes(kLayout);
  static constexpr int kHeadBytes = TileHeadBytes(kLayout);
  static constexpr int kBlockGroups = kBlockT / kTileColumns;
};

inline const uint16_t* Halves(const uint8_t* bytes) {
  return reinterpret_cast<const uint16_t*>(bytes);
}

// The scales and offsets of a block's records, four rows at a time.
template <class K>
struct Scales {
  F32x4 scale[kHalves], offset[kHalves];  // of the block, where it has them

  // Reads what precedes a block's records; returns where they begin.
  const uint8_t* Enter(const uint8_t* block) {
    if constexpr (K::kIntegers) {
      for (int h = 0; h < kHalves; ++h) {
        scale[h] = LoadHalf4(Halves(block + 8 * h));
        if constexpr (K::kOffsets) {
          offset[h] = LoadHalf4(Halves(block + 16 + 8 * h));
        }
      }
    }
    return block + K::kHeadBytes;
  }
  F32x4 Scale(const uint8_t* record, int part, int h) const {
    const uint8_t* at = record + K::kCodeBytes + part * K::kScaleBytes;
    if constexpr (!K::kIntegers) return LoadHalf4(Halves(at + 8 * h));
    return Mul(scale[h], ToFloat(LoadI8x4(at + 4 * h)));
  }
  F32x4 Offset(const uint8_t* record, int h) const {
    const uint8_t* at = record + K::kCodeBytes + K::kParts * K::kScaleBytes;
    if constexpr (!K::kIntegers) return LoadHalf4(Halves(at + 8 * h));
    return Mul(offset[h], ToFloat(LoadI8x4(at + 4 * h)));
  }
};

// Turns indices into what they stand for, where a kind has levels.
template <class K>
struct Levels {
  I8x16 table;
  explicit Levels(const TileLayout& layout) : table(SplatI8(0)) {
    if constexpr (K::kLevels) {
      table = LoadU8(reinterpret_cast<const uint8_t*>(layout.levels));
    }
  }
  void Apply(I8x16* quads) const {
    if constexpr (K::kLevels) {
      for (int j = 0; j < kQuads; ++j) quads[j] = Lookup(table, quads[j]);
    }
  }
};

}  // namespace fastweights
