// SPDX-License-Identifier: MIT
#pragma once

// What multiplies a tile's integer sums.

#include <cstdint>

#include "formats/half.h"
#include "formats/tile_kinds.h"

namespace fastweights {

// Of kinds whose groups have scales, and offsets, of their own: of a record's
// rows 0-3 and 4-7.
template <class K>
class Scales {
 public:
  void Scale(const uint8_t* record, int part, F32x4* out) const {
    Read(record + K::kCodeBytes + part * K::kScaleBytes, out);
  }
  void Offset(const uint8_t* record, int part, F32x4* out) const {
    Read(record + K::kCodeBytes + (K::kParts + part) * K::kScaleBytes, out);
  }

 private:
  void Read(const uint8_t* at, F32x4* out) const {
    const auto* numbers = reinterpret_cast<const uint16_t*>(at);
    out[0] = Four(numbers);
    out[1] = Four(numbers + 4);
  }
  F32x4 Four(const uint16_t* from) const {
    if constexpr (K::kScales == TileScales::kBfloats) {
      return LoadBfloat4(from);
    } else {
      return LoadHalf4(from, mask_, factor_);
    }
  }

  I32x4 mask_ = SplatI32(kTileConstants.half_mask);
  F32x4 factor_ = Splat(kTileConstants.half_scale);
};

// Of kinds with integer scales: the head of a block. In integers a block is
//   totals = sum over groups of scale * dot
//   minima = sum over groups of offset * sum of the input's codes
// and in float, once for its 256 columns and everywhere in this order,
//   (totals * scale of the block + minima * its offset) * scale of the input.
template <class K>
class BlockHead {
 public:
  // Inputs are within 127, a weight times its scale within 63 * 128 (Q6_K's
  // before its zero point is off; of IQ4_XS 127 * 32), an offset within 63; and
  // 16 bits hold what 32 columns of inputs add up to.
  static_assert(!K::kIntegers ||
                int64_t{K::kLayout.block} * 127 * 63 * 128 <= INT32_MAX);
  static_assert(kTileColumns * 127 <= INT16_MAX);

  static constexpr int kPairs =
      K::kOffsets ? K::kLayout.block / K::kLayout.group / 2 : 0;

  explicit BlockHead(const uint8_t* block) : block_(block) {}

  const uint8_t* records() const { return block_ + K::kHeadBytes; }

  // Of rows 0-3 or 4-7.
  F32x4 Scale(int half) const { return Four(4 * half); }
  F32x4 Offset(int half) const { return Four(kTileRows + 4 * half); }
  // The offsets of groups 2 pair and 2 pair + 1.
  I16x8 Offsets(int pair, int half) const {
    return WidenI8x8(block_ + TileHeadOffsets(K::kLayout) +
                     2 * kTileRows * pair + 8 * half);
  }

 private:
  // These are often subnormal: nearly all of Q6_K's where weights deviate by
  // 0.03. Multiplying those, Sapphire Rapids took 1.4 times as long for a
  // token's products.
  F32x4 Four(int index) const {
    const HalfLoader load(kHalfConstants);
    return load(reinterpret_cast<const uint16_t*>(block_) + index);
  }

  const uint8_t* block_;
};

// sum += (totals * scale + minima * offset) * x_scale, from the left: two
// scales by themselves may be infinite where the integers are zero.
template <bool kOffsets>
inline F32x4 AddBlock(I32x4 totals, F32x4 scale, I32x4 minima, F32x4 offset,
                      F32x4 x_scale, F32x4 sum) {
  F32x4 block = Mul(ToFloat(totals), scale);
  if constexpr (kOffsets) block = MulAdd(ToFloat(minima), offset, block);
  return MulAdd(block, x_scale, sum);
}

}  // namespace fastweights
