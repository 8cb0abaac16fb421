// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"

namespace fastweights {
namespace {

struct Single {
  using Stored = float;
  static constexpr int kMostTokens = kMostTokensF32;
  static float ToFloat(Stored weight) { return weight; }
  struct Loader {
    F32x4 operator()(const Stored* from) const { return Load(from); }
  };
  static bool IsPlain(Stored) { return true; }
};

}  // namespace

const Format kF32Format = DenseFormat<Single>(0, "F32");

}  // namespace fastweights
