// SPDX-License-Identifier: MIT
#pragma once

// The twin of wasm_weight_dots.h for other builds.

#include <cstdint>
#include <cstring>

#include "kernels/simd/lane_sums.h"

namespace fastweights {

struct WideDot : LaneSums {
  using Code = int16_t;
  using Stored = int8_t;
  using Weights = I8x16;
  struct Input {
    int16_t v[4];
  };
  static Sums Begin(I32x4 start) { return start; }
  static Weights Of(I8x16 codes) { return codes; }
  static Weights Load(const int8_t* codes) { return LoadI8(codes); }
  static Input LoadInput(const Code* from) {
    return {{from[0], from[1], from[2], from[3]}};
  }
  using Inputs = const Code*;
  static Inputs LoadInputs(const Code* from) { return from; }
  static Input InputOf(Inputs x, int token) { return LoadInput(x + 4 * token); }
  // Weights of 8 or of 16 bits.
  template <class W>
  static Sums Add(const W& w, const Input& x, Sums sums) {
    for (int i = 0; i < 16; ++i) {
      sums.v[i / 2 % 4] += w.v[i] * x.v[i / 8 * 2 + i % 2];
    }
    return sums;
  }
  template <int kQuads, class W>
  static Sums Add(const W* w, const Input* x, Sums sums) {
    for (int i = 0; i < kQuads; ++i) sums = Add(w[i], x[i], sums);
    return sums;
  }
  static I32x4 End(Sums sums, I32x4) { return sums; }
};

struct ScaledDot : WideDot {
  using Stored = int16_t;
  struct Weights {
    int16_t v[16];
  };
  static Weights Load(const Stored* from) {
    Weights w;
    std::memcpy(w.v, from, sizeof(w.v));
    return w;
  }
  static void StoreWeights(I8x16 codes, I16x8 zero, I16x8 scales, Stored* to) {
    for (int i = 0; i < 16; ++i) {
      to[i] =
          static_cast<int16_t>((codes.v[i] - zero.v[i % 8]) * scales.v[i % 8]);
    }
  }
};

}  // namespace fastweights
