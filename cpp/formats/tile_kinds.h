// SPDX-License-Identifier: MIT
#pragma once

// How products read a tile: what a kind of product knows at compile time, and
// the parts of a record as vectors.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "formats/product_input.h"
#include "formats/tile_layout.h"
#include "kernels/simd.h"

namespace fastweights {

// Unrolled, an inner loop would become one expression for each of its sums,
// with all that goes into it loaded before, and V8 out of registers.
#ifdef __clang__
#define NOT_UNROLLED _Pragma("clang loop unroll(disable)")
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define NOT_UNROLLED
#define UNROLLED
#endif

// What is at `values` stays in memory between two of these, not in registers.
inline void KeepInMemory(const void* values) {
  __asm__ volatile("" ::"r"(values) : "memory");
}

// V8 rebuilds a constant vector at every use and the compiler moves what it can
// see into the loop: defined in tile_layout.cc, these are loaded once.
struct TileConstants {
  int8_t low_nibble;     // 0x0f
  int8_t five_bits[3];   // 0x1f, 0x07, 0x18: all, the lower, the upper ones
  int8_t six_bits;       // 0x3f
  int8_t three_bits[2];  // 0x07, 0x88: a code in a nibble, what is above it
  int8_t parts[3];       // 0x03, 0x0c, 0x30: of the fourth of four quads
  int32_t start;         // kSumStart
  float float_of_start;  // its bits
  int32_t half_mask;     // kHalfMask
  float half_scale;      // kHalfScale
};
extern const TileConstants kTileConstants;

// Integer sums begin here: read as a float, such a sum is 1.5 * 2^23 more than
// the sum itself, exactly, while that is within 2^22 - which 32 products of a
// byte and a signed byte are. One subtraction, on a port that dot products
// leave alone, then does what a conversion would.
inline constexpr int32_t kSumStart = 0x4b400000;

inline constexpr int kQuads = 8;   // of four rows in a record
inline constexpr int kHalves = 2;  // of four rows in a tile

// Takes the codes of four rows apart, a step of a few quads at a time.
template <int kBits>
class Unpacker {
 public:
  static constexpr int kStepQuads = kBits == 4 || kBits == 8 ? 2 : 4;

  // What the steps share: of 5 bits the uppermost ones, shifted as steps take
  // of them; of 3 bits the last two quads, in nibbles.
  I8x16 LoadUpper(const uint8_t* half) const {
    if constexpr (kBits == 3) {
      const I8x16 first = And(LoadU8(half), top_);
      const I8x16 second = And(LoadU8(half + 16), top_);
      const I8x16 third = And(LoadU8(half + 32), top_);
      return Or(Or(ShiftRight16<3>(first), ShiftRight16<2>(second)),
                ShiftRight16<1>(third));
    }
    return kBits == 5 ? LoadU8(half + 64) : SplatI8(0);
  }

  // Quads step * kStepQuads and on; steps from 0 on.
  void Next(const uint8_t* half, int step, I8x16* upper, I8x16* quads) const {
    if constexpr (kBits == 8) {
      quads[0] = LoadU8(half + 32 * step);
      quads[1] = LoadU8(half + 32 * step + 16);
    } else if constexpr (kBits == 6) {
      for (int i = 0; i < 3; ++i) quads[i] = LoadU8(half + 48 * step + 16 * i);
      quads[3] = Or(Or(And(ShiftRight16<6>(quads[0]), parts_[0]),
                       And(ShiftRight16<4>(quads[1]), parts_[1])),
                    And(ShiftRight16<2>(quads[2]), parts_[2]));
      for (int i = 0; i < 3; ++i) quads[i] = And(quads[i], low_);
    } else if constexpr (kBits == 3) {
      const auto nibbles = [&](I8x16 pair, I8x16* two) {
        two[0] = And(pair, low_);
        two[1] = And(ShiftRight16<4>(pair), low_);
      };
      nibbles(LoadU8(half + 32 * step), quads);
      nibbles(step == 0 ? LoadU8(half + 16) : *upper, quads + 2);
    } else if constexpr (kBits == 2) {
      const I8x16 four = LoadU8(half + 16 * step);
      quads[0] = And(four, low_);
      quads[1] = And(ShiftRight16<2>(four), low_);
      quads[2] = And(ShiftRight16<4>(four), low_);
      quads[3] = And(ShiftRight16<6>(four), low_);
    } else if constexpr (kBits == 5) {
      const I8x16 first = LoadU8(half + 32 * step);
      const I8x16 second = LoadU8(half + 32 * step + 16);
      quads[0] = And(first, low_);
      quads[1] = And(second, low_);
      quads[2] = Or(And(ShiftRight16<5>(first), three_),
                    And(ShiftLeft16<3>(*upper), top_));
      quads[3] = Or(And(ShiftRight16<5>(second), three_),
                    And(ShiftLeft16<1>(*upper), top_));
      *upper = ShiftRight16<4>(*upper);
    } else {
      const I8x16 pair = LoadU8(half + 16 * step);
      quads[0] = And(pair, low_);
      quads[1] = And(ShiftRight16<4>(pair), low_);
    }
  }

 private:
  I8x16 low_ = SplatI8(kBits == 6   ? kTileConstants.six_bits
                       : kBits == 5 ? kTileConstants.five_bits[0]
                       : kBits == 3 ? kTileConstants.three_bits[0]
                       : kBits == 2 ? kTileConstants.parts[0]
                                    : kTileConstants.low_nibble);
  I8x16 three_ = SplatI8(kTileConstants.five_bits[1]);
  I8x16 top_ = SplatI8(kBits == 3 ? kTileConstants.three_bits[1]
                                  : kTileConstants.five_bits[2]);
  I8x16 parts_[3] = {SplatI8(kTileConstants.parts[0]),
                     SplatI8(kTileConstants.parts[1]),
                     SplatI8(kTileConstants.parts[2])};
};

// What is known at compile time of a format's Block (block_format.h): it is
// seen by its layout.
template <class Block>
struct Stored {
  static constexpr const TileLayout& kLayout = Block::kTile;
  static constexpr int kBits = kLayout.bits;
  static constexpr int kParts = TileParts(kLayout);
  static constexpr bool kOffsets = kLayout.offsets;
  static constexpr bool kLevels = HasLevels(kLayout);
  static constexpr int kQuadsOfPart = kQuads / kParts;
  static constexpr TileScales kScales = kLayout.scales;
  static constexpr bool kIntegers = HasIntegerScales(kLayout);
  static constexpr int kCodeBytes = 2 * TileHalfBytes(kBits);
  static constexpr int kScaleBytes = kTileRows * TileScaleBytes(kLayout);
  static constexpr int kRecordBytes = TileRecordBytes(kLayout);
  static constexpr int kHeadBytes = TileHeadBytes(kLayout);
  static constexpr int kBlockGroups = kLayout.block / kTileColumns;
  // Groups of 32 columns whose inputs share a scale.
  static constexpr int kInputGroups = InputGroup(kLayout) / kTileColumns;

  // Bytes of a tile whose rows have `groups` groups of 32 columns.
  static size_t TileBytes(int groups) {
    return static_cast<size_t>(groups / kBlockGroups) * TileBlockBytes(kLayout);
  }
};

// Whether 16 bits hold what half of `columns` columns add up to, less what the
// layout's zero point adds where sums begin at that.
constexpr bool FitShorts(const TileLayout& layout, int columns, bool centred) {
  const int zero_point = centred ? layout.zero_point : 0;
  const int largest = std::max(zero_point, LargestWeight(layout) - zero_point);
  return columns / 2 * 127 * largest <= INT16_MAX;
}

// Whether all products of this build have 16-bit lanes, for which weights lie
// in pairs of columns.
#ifdef __wasm_relaxed_simd__
inline constexpr bool kWideProducts = false;
#else
inline constexpr bool kWideProducts = true;
#endif

// Whether a dot product has 16-bit lanes.
template <class Dot>
constexpr bool IsWide() {
  return std::is_same_v<typename Dot::Code, int16_t>;
}

// Whether it takes inputs in halves: two sums for each.
template <class Dot>
constexpr bool HasHalves() {
#ifdef __wasm_relaxed_simd__
  return std::is_same_v<Dot, HalvesDot>;
#else
  return false;
#endif
}

// Whether its sums are of 32 bits, a row each.
template <class Dot>
constexpr bool HasLaneSums() {
  return std::is_same_v<typename Dot::Sums, I32x4>;
}

// Quads that a run of integer sums has: those of a part, or where sums have 16
// bits as many as these hold (of Q5_K four).
template <class Dot>
constexpr int QuadsOfRun(const TileLayout& layout) {
  int quads = kQuads / TileParts(layout);
  while (!HasLaneSums<Dot>() && !HasHalves<Dot>() && HasIntegerScales(layout) &&
         !FitShorts(layout, 4 * quads, true)) {
    quads /= 2;
  }
  return quads;
}

// What a kind of product knows: the dot product that it takes, too.
template <class DotT, class Block>
struct Kind : Stored<Block> {
  using Dot = DotT;
  using Tiles = Stored<Block>;
  static constexpr int kQuadsOfRun = QuadsOfRun<Dot>(Block::kTile);
  static constexpr int kRuns = kQuads / kQuadsOfRun;  // of a record
  static_assert(kQuadsOfRun % Unpacker<Stored<Block>::kBits>::kStepQuads == 0);
  // What a part's sums begin at is for the whole of it.
  static_assert(Stored<Block>::kOffsets || kRuns == Stored<Block>::kParts);
};

// Turns indices into the weights that they stand for, where a kind has levels.
template <class K>
class Levels {
 public:
  Levels() {
    if constexpr (K::kLevels) {
      const CodeLevels weights = LevelWeights(K::kLayout);
      table_ = LoadI8(weights.data());
    }
  }
  void Apply(I8x16* quad) const {
    if constexpr (K::kLevels) *quad = Lookup(table_, *quad);
  }

 private:
  I8x16 table_ = SplatI8(0);
};

// The input of a product, in the form that its dot products take: one token,
// or blocks of kTokenBlock side by side (`width` of the shapes).
template <class Dot>
struct TileInput {
  const typename Dot::Code* codes;  // [blocks, groups, kQuads, width, 4]
  const float* scales;              // [blocks, groups / kInputGroups, width]
  // Of kinds with offsets, [blocks, groups, parts, width]: sums of the values;
  // with integer scales those of the codes, of two parts at a time.
  const float* sums;
  const PairSums* code_sums;
  // Of the others, likewise: what integer sums begin at, kSumStart or zero less
  // what the weights' zero point adds to the dot products (Dot::Start).
  const int32_t* starts;
  int groups;  // columns / 32
};

// What a part's integer sums begin at, by its place in TileInput's arrays: of
// one token, or of each of a block's.
template <class K>
inline I32x4 StartOf(const TileInput<typename K::Dot>& x, int part) {
  if constexpr (K::kOffsets) {
    return SplatI32(K::kIntegers ? 0 : kTileConstants.start);
  } else {
    return SplatI32(x.starts[part]);
  }
}
template <class K>
class Starts {
 public:
  Starts(const TileInput<typename K::Dot>& x, int part) {
    if constexpr (K::kOffsets) {
      all_ = SplatI32(K::kIntegers ? 0 : kTileConstants.start);
    } else if constexpr (K::kIntegers) {
      at_ = x.starts + kTokenBlock * part;
    } else {
      all_ = LoadI32(x.starts + kTokenBlock * part);
    }
  }
  I32x4 Of(int lane) const {
    if constexpr (K::kOffsets) return all_;
    // A load of one number takes no port that dot products want.
    if constexpr (K::kIntegers) return SplatI32(at_[lane]);
    return Lane(all_, lane);
  }

 private:
  I32x4 all_;
  const int32_t* at_ = nullptr;
};
template <class K>
inline typename K::Dot::Sums BeginRun(I32x4 start) {
  if constexpr (K::kIntegers) return K::Dot::From(start);
  return K::Dot::Begin(start);
}

// The scales of a run of integer sums, of rows 0-3 and 4-7, as AddScaled takes
// them.
template <class K>
inline void LoadRunScales(const uint8_t* record, int run, I32x4* scale) {
  const int part = run * K::kParts / K::kRuns;
  K::Dot::LoadScales(record + K::kCodeBytes + part * K::kScaleBytes, &scale[0],
                     &scale[1]);
}

// Quads that a dot product takes together.
template <class Dot>
constexpr int QuadsAtOnce() {
#ifdef __wasm_relaxed_simd__
  if (std::is_same_v<Dot, ShortDot<false>>) return 2;
#endif
  return 1;
}

// sum += dot * scale * x_scale, the same steps in the same order for one token
// and for many.
inline F32x4 AddGroup(I32x4 dot, F32x4 start, F32x4 scale, F32x4 x_scale,
                      F32x4 sum) {
  return MulAdd(Sub(BitsToFloat(dot), start), Mul(scale, x_scale), sum);
}

inline void StoreRows(const F32x4* sums, int rows, float* out) {
  if (rows >= kTileRows) {
    Store(out, sums[0]);
    Store(out + 4, sums[1]);
    return;
  }
  float all[kTileRows];
  Store(all, sums[0]);
  Store(all + 4, sums[1]);
  for (int r = 0; r < rows; ++r) out[r] = all[r];
}

}  // namespace fastweights
