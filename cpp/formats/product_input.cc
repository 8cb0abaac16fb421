// SPDX-License-Identifier: MIT
#include "formats/product_input.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "formats/quantise_int8.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// Bytes of a widened code, where dot products take those.
size_t WidenedBytes() {
#ifdef __wasm_relaxed_simd__
  if (RelaxedDotOperand() != WideOperand::kSaturates) return 0;
#endif
  return sizeof(int16_t);
}

// Groups that are worth a thread's while.
constexpr int kTaskGroups = 256;

// Tokens, with those that fill up the last block.
size_t FilledTokens(int tokens) {
  const size_t width = BlockWidth(tokens);
  return (tokens + width - 1) / width * width;
}

}  // namespace

size_t ProductInput::ScratchBytes(int tokens, int columns) {
  const size_t codes = FilledTokens(tokens) * columns;
  const size_t groups = codes / kInputGroup;
  const size_t by_group =
      AlignedBytes(codes) + AlignedBytes(codes * WidenedBytes()) +
      2 * AlignedBytes(groups * sizeof(float)) +
      // Sums of codes, and as many numbers that a product makes of them.
      2 * AlignedBytes(2 * groups * sizeof(int32_t));
  const size_t by_token =
      AlignedBytes(tokens * Int8InputBytes(columns) + kInt8ExtraBytes) +
      AlignedBytes((tokens + kInt8ExtraScales) * sizeof(TokenScale));
  return std::max(by_group, by_token);
}

const QuantisedInput& ProductInput::Quantised() {
  if (quantised_.codes != nullptr) return quantised_;
  const ProfileScope scope(workspace_.profile(), {"quantise"});
  DCHECK(columns_ % kInputGroup == 0);
  const size_t columns = columns_, width = BlockWidth(tokens_);
  const size_t filled = FilledTokens(tokens_), groups = columns / kInputGroup;
  Arena& arena = workspace_.arena();
  int8_t* codes = arena.Take<int8_t>(filled * columns);
  float* scales = arena.Take<float>(filled * groups);
  float* sums = arena.Take<float>(filled * groups);
  int32_t* code_sums = arena.Take<int32_t>(filled * 2 * groups);
  const auto quantise = [&](size_t token, size_t g) {
    // Its place in the block, and the group's among those of all blocks.
    const size_t lane = token % width;
    const size_t group = token / width * groups + g;
    alignas(16) int8_t quads[kInputGroup] = {};
    float scale = 0.0f;
    if (token < static_cast<size_t>(tokens_)) {
      scale = QuantiseInt8(kInputGroup, x_ + token * columns + g * kInputGroup,
                           quads);
    }
    for (size_t quad = 0; quad < kInputGroup / 4; ++quad) {
      std::memcpy(
          codes + group * width * kInputGroup + (quad * width + lane) * 4,
          quads + 4 * quad, 4);
    }
    const int32_t halves[] = {Sum(LoadI8(quads)), Sum(LoadI8(quads + 16))};
    scales[group * width + lane] = scale;
    sums[group * width + lane] =
        scale * static_cast<float>(halves[0] + halves[1]);
    for (size_t half = 0; half < 2; ++half) {
      code_sums[(2 * group + half) * width + lane] = halves[half];
    }
  };
  ForRanges(workspace_.threads(), static_cast<int>(filled * groups),
            kTaskGroups, [&](int from, int to) {
              for (size_t i = from; i < static_cast<size_t>(to); ++i) {
                quantise(i / groups, i % groups);
              }
            });
  quantised_ = {.codes = codes,
                .scales = scales,
                .sums = sums,
                .code_sums = code_sums,
                .blocks = static_cast<int>(filled / width)};
  return quantised_;
}

const TokenQuantisedInput& ProductInput::QuantisedByToken() {
  if (by_token_.codes != nullptr) return by_token_;
  const ProfileScope scope(workspace_.profile(), {"quantise"});
  const size_t row_bytes = Int8InputBytes(columns_);
  const size_t bytes = tokens_ * row_bytes + kInt8ExtraBytes;
  int8_t* codes = workspace_.arena().Take<int8_t>(bytes);
  TokenScale* scales =
      workspace_.arena().Take<TokenScale>(tokens_ + kInt8ExtraScales);
  workspace_.threads().For(tokens_, [&](int t, int) {
    int8_t* row = codes + t * row_bytes;
    scales[t].scale =
        QuantiseInt8(columns_, x_ + static_cast<size_t>(t) * columns_, row,
                     &scales[t].zero_point);
    std::fill(row + columns_, row + row_bytes, int8_t{0});
  });
  std::fill_n(codes + tokens_ * row_bytes, kInt8ExtraBytes, int8_t{0});
  const TokenScale last = tokens_ > 0 ? scales[tokens_ - 1] : TokenScale{};
  std::fill_n(scales + tokens_, kInt8ExtraScales, last);
  by_token_ = {.codes = codes, .scales = scales};
  return by_token_;
}

const int16_t* ProductInput::Widened() {
  if (widened_ != nullptr) return widened_;
  const int8_t* codes = Quantised().codes;
  const ProfileScope scope(workspace_.profile(), {"quantise"});
  const size_t count = FilledTokens(tokens_) * columns_;
  int16_t* widened = workspace_.arena().Take<int16_t>(count);
  for (size_t i = 0; i < count; ++i) widened[i] = codes[i];
  return widened_ = widened;
}

}  // namespace fastweights
