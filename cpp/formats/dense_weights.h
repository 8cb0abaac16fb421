// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "formats/half.h"
#include "formats/kernel_choice.h"
#include "kernels/simd.h"

namespace fastweights {

// The types of weights that dense_product.h describes.

struct Single {
  using Stored = float;
  static constexpr int kMostTokens = kMostTokensF32;
  static float ToFloat(Stored weight) { return weight; }
  struct Loader {
    F32x4 operator()(const Stored* from) const { return Load(from); }
  };
  static bool IsPlain(Stored) { return true; }
  static bool IsFinite(Stored weight) { return weight - weight == 0; }
};

struct Half {
  using Stored = uint16_t;
  static constexpr int kMostTokens = kMostTokensF16;
  struct Loader : HalfLoader {
    Loader() : HalfLoader(kHalfConstants) {}
  };
  static float ToFloat(Stored weight) { return HalfToFloat(weight); }
  static bool IsPlain(Stored weight) { return IsFiniteHalf(weight); }
  static bool IsFinite(Stored weight) { return IsFiniteHalf(weight); }
};

// The upper half of a float.
struct Bfloat {
  using Stored = uint16_t;
  static constexpr int kMostTokens = kMostTokensBf16;
  static float ToFloat(Stored weight) {
    return FloatFromBits(static_cast<uint32_t>(weight) << 16);
  }
  struct Loader {
    F32x4 operator()(const Stored* from) const { return LoadBfloat4(from); }
  };
  static bool IsPlain(Stored) { return true; }
  static bool IsFinite(Stored weight) { return (weight & 0x7f80) != 0x7f80; }
};

}  // namespace fastweights
