// SPDX-License-Identifier: MIT
#include "formats/product_input.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

float LargestMagnitude(const float* x) {
  F32x4 largest = Splat(0.0f);
  for (int i = 0; i < kInputGroup; i += 4) {
    largest = Max(largest, Abs(Load(x + i)));
  }
  float lanes[4];
  Store(lanes, largest);
  return std::max(std::max(lanes[0], lanes[1]), std::max(lanes[2], lanes[3]));
}

// Quantises 32 values; returns their scale.
float QuantiseGroup(const float* x, int8_t* codes) {
  const float largest = LargestMagnitude(x);
  // Below this the inverse overflows; such a group is zero for all purposes.
  if (!(largest > 1e-35f)) {
    std::fill_n(codes, kInputGroup, int8_t{0});
    return 0.0f;
  }
  const F32x4 inverse = Splat(127.0f / largest);
  for (int i = 0; i < kInputGroup; i += 16) {
    const auto scaled = [&](int j) { return Mul(Load(x + i + j), inverse); };
    StoreNearestI8(codes + i, scaled(0), scaled(4), scaled(8), scaled(12));
  }
  return largest / 127.0f;
}

}  // namespace

size_t ProductInput::ScratchBytes(int tokens, int columns) {
  const size_t groups = static_cast<size_t>(columns / kInputGroup) * tokens;
  return AlignedBytes(static_cast<size_t>(tokens) * columns) +
         2 * AlignedBytes(groups * sizeof(float));
}

const QuantisedInput& ProductInput::Quantised() {
  if (quantised_.codes != nullptr) return quantised_;
  DCHECK(columns_ % kInputGroup == 0);
  const size_t groups = static_cast<size_t>(columns_ / kInputGroup) * tokens_;
  int8_t* codes = arena_.Take<int8_t>(groups * kInputGroup);
  float* scales = arena_.Take<float>(groups);
  float* sums = arena_.Take<float>(groups);
  for (size_t g = 0; g < groups; ++g) {
    int8_t* group = codes + g * kInputGroup;
    scales[g] = QuantiseGroup(x_ + g * kInputGroup, group);
    int sum = 0;
    for (int i = 0; i < kInputGroup; ++i) sum += group[i];
    sums[g] = scales[g] * static_cast<float>(sum);
  }
  quantised_ = {.codes = codes, .scales = scales, .sums = sums};
  return quantised_;
}

}  // namespace fastweights
