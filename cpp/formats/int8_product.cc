// SPDX-License-Identifier: MIT
#include "formats/int8_product.h"

#include "base/check.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// A tile of kRows weight rows by kTokens tokens; its kRows * kTokens sums stay
// in registers for the whole length.
template <int kGroup, int kRows, int kTokens>
void Tile(const UnpackedRows& w, const QuantisedInput& x, int token, float* out,
          int out_stride) {
  constexpr int kParts = kInputGroup / kGroup;
  const int input_groups = w.columns / kInputGroup;
  F32x4 sum[kRows][kTokens];
  for (auto& row : sum) {
    for (F32x4& s : row) s = Splat(0.0f);
  }
  for (int g = 0; g < input_groups; ++g) {
    for (int r = 0; r < kRows; ++r) {
      const int8_t* codes = w.codes + r * w.columns + g * kInputGroup;
      const I8x16 low = LoadI8(codes), high = LoadI8(codes + 16);
      const float* scale = w.scales + (r * input_groups + g) * kParts;
      for (int t = 0; t < kTokens; ++t) {
        const int row = (token + t) * input_groups + g;
        const int8_t* input = x.codes + row * kInputGroup;
        const float x_scale = x.scales[row];
        if constexpr (kGroup == 32) {
          const I32x4 dot = DotAdd(high, LoadI8(input + 16),
                                   DotAdd(low, LoadI8(input), ZeroI32()));
          sum[r][t] =
              MulAdd(Splat(scale[0] * x_scale), ToFloat(dot), sum[r][t]);
        } else {
          const I32x4 first = DotAdd(low, LoadI8(input), ZeroI32());
          const I32x4 second = DotAdd(high, LoadI8(input + 16), ZeroI32());
          sum[r][t] =
              MulAdd(Splat(scale[0] * x_scale), ToFloat(first), sum[r][t]);
          sum[r][t] =
              MulAdd(Splat(scale[1] * x_scale), ToFloat(second), sum[r][t]);
        }
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int t = 0; t < kTokens; ++t) {
      float total = Sum(sum[r][t]);
      if (w.offsets != nullptr) {
        const float* offsets = w.offsets + r * input_groups;
        const float* sums = x.sums + (token + t) * input_groups;
        for (int g = 0; g < input_groups; ++g) total += offsets[g] * sums[g];
      }
      out[t * out_stride + r] = total;
    }
  }
}

template <int kGroup, int kRows>
void Rows(const UnpackedRows& w, int tokens, const QuantisedInput& x,
          float* out, int out_stride) {
  int t = 0;
  for (; t + 4 <= tokens; t += 4) {
    Tile<kGroup, kRows, 4>(w, x, t, out + t * out_stride, out_stride);
  }
  for (; t < tokens; ++t) {
    Tile<kGroup, kRows, 1>(w, x, t, out + t * out_stride, out_stride);
  }
}

template <int kGroup>
void AllRows(UnpackedRows w, int tokens, const QuantisedInput& x, float* out,
             int out_stride) {
  while (w.rows > 0) {
    // Two rows by four tokens is what sixteen vector registers hold.
    const int step = w.rows >= 2 ? 2 : 1;
    if (step == 2) {
      Rows<kGroup, 2>(w, tokens, x, out, out_stride);
    } else {
      Rows<kGroup, 1>(w, tokens, x, out, out_stride);
    }
    w.rows -= step;
    w.codes += step * w.columns;
    w.scales += step * (w.columns / w.group);
    if (w.offsets != nullptr) w.offsets += step * (w.columns / kInputGroup);
    out += step;
  }
}

}  // namespace

void Int8Product(const UnpackedRows& weights, int tokens,
                 const QuantisedInput& x, float* out, int out_stride) {
  DCHECK(weights.columns % kInputGroup == 0);
  if (weights.group == 16) {
    AllRows<16>(weights, tokens, x, out, out_stride);
  } else {
    AllRows<32>(weights, tokens, x, out, out_stride);
  }
}

}  // namespace fastweights
