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

// Bytes of a widened code, where dot products take those.
size_t WidenedBytes() {
#ifdef __wasm_relaxed_simd__
  if (RelaxedDotOperand() != WideOperand::kSaturates) return 0;
#endif
  return sizeof(int16_t);
}

// Groups that are worth a thread's while.
constexpr int kTaskGroups = 256;

}  // namespace

size_t ProductInput::ScratchBytes(int tokens, int columns) {
  const size_t codes = static_cast<size_t>(tokens) * columns;
  const size_t groups = codes / kInputGroup;
  return AlignedBytes(codes) + AlignedBytes(codes * WidenedBytes()) +
         2 * AlignedBytes(groups * sizeof(float)) +
         // Sums of codes, and as many numbers that a product makes of them.
         2 * AlignedBytes(2 * groups * sizeof(int32_t));
}

const QuantisedInput& ProductInput::Quantised() {
  if (quantised_.codes != nullptr) return quantised_;
  const ProfileScope scope(workspace_.profile(), {"quantise"});
  DCHECK(columns_ % kInputGroup == 0);
  const size_t groups = static_cast<size_t>(columns_ / kInputGroup) * tokens_;
  Arena& arena = workspace_.arena();
  int8_t* codes = arena.Take<int8_t>(groups * kInputGroup);
  float* scales = arena.Take<float>(groups);
  float* sums = arena.Take<float>(groups);
  int32_t* code_sums = arena.Take<int32_t>(2 * groups);
  const int tasks = static_cast<int>((groups + kTaskGroups - 1) / kTaskGroups);
  workspace_.threads().For(tasks, [&](int task, int) {
    const size_t first = static_cast<size_t>(task) * kTaskGroups;
    for (size_t g = first; g < std::min(first + kTaskGroups, groups); ++g) {
      int8_t* group = codes + g * kInputGroup;
      scales[g] = QuantiseGroup(x_ + g * kInputGroup, group);
      int32_t* halves = code_sums + 2 * g;
      halves[0] = Sum(LoadI8(group));
      halves[1] = Sum(LoadI8(group + 16));
      sums[g] = scales[g] * static_cast<float>(halves[0] + halves[1]);
    }
  });
  quantised_ = {
      .codes = codes, .scales = scales, .sums = sums, .code_sums = code_sums};
  return quantised_;
}

const int16_t* ProductInput::Widened() {
  if (widened_ != nullptr) return widened_;
  const int8_t* codes = Quantised().codes;
  const ProfileScope scope(workspace_.profile(), {"quantise"});
  const size_t count = static_cast<size_t>(tokens_) * columns_;
  int16_t* widened = workspace_.arena().Take<int16_t>(count);
  for (size_t i = 0; i < count; ++i) widened[i] = codes[i];
  return widened_ = widened;
}

}  // namespace fastweights
