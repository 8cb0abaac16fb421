// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

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
};

}  // namespace

const Format kBf16Format = DenseFormat<Bfloat>(30, "BF16");

}  // namespace fastweights
