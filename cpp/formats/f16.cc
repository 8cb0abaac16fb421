// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

struct Half {
  using Stored = uint16_t;
  static constexpr int kMostTokens = kMostTokensF16;
  struct Loader : HalfLoader {
    Loader() : HalfLoader(kHalfConstants) {}
  };
  static float ToFloat(Stored weight) { return HalfToFloat(weight); }
  static bool IsPlain(Stored weight) { return (weight & 0x7c00) != 0x7c00; }
};

}  // namespace

const Format kF16Format = DenseFormat<Half>(1, "F16");

}  // namespace fastweights
