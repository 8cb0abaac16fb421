// SPDX-License-Identifier: MIT
#include "formats/product_input.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "formats/quantise_int8.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// Columns that are worth a thread's while.
constexpr int kTaskColumns = 8192;

// Tokens, with those that fill up the last block.
size_t FilledTokens(int tokens) {
  const size_t width = BlockWidth(tokens);
  return (tokens + width - 1) / width * width;
}

}  // namespace

bool ProductInput::HasTwoByteForms() {
#ifdef __wasm_relaxed_simd__
  return RelaxedDotOperand() == WideOperand::kSaturates;
#else
  return true;
#endif
}

size_t ProductInput::ScratchBytes(int tokens, int columns, int together) {
  const size_t codes = FilledTokens(tokens) * columns;
  const size_t groups = codes / kInputGroup, sums = codes / kSummedCodes;
  const size_t two_bytes = HasTwoByteForms() ? codes * sizeof(int16_t) : 0;
  const size_t by_group = AlignedBytes(codes) + AlignedBytes(two_bytes) +
                          AlignedBytes(groups * sizeof(float)) +
                          AlignedBytes(sums * sizeof(PairSums)) +
                          // What a product makes of them: a number for each.
                          together * AlignedBytes(sums * sizeof(int32_t));
  const size_t by_token =
      AlignedBytes(tokens * Int8InputBytes(columns) + kInt8ExtraBytes) +
      AlignedBytes((tokens + kInt8ExtraScales) * sizeof(TokenScale));
  return std::max(by_group, by_token);
}

void ProductInput::Prepare(int group) {
  if (group == kByToken) {
    QuantisedByToken();
  } else if (group != kFloats) {
    Quantised(group);
  }
}

const QuantisedInput& ProductInput::Quantised(int group) {
  if (quantised_.group == group) return quantised_;
  const ProfileScope scope(workspace_.profile(), {"quantise"});
  DCHECK(group <= kMostInputGroup && columns_ % group == 0);
  const size_t columns = columns_, width = BlockWidth(tokens_);
  const size_t filled = FilledTokens(tokens_), groups = columns / group;
  Arena& arena = workspace_.arena();
  if (room_.codes == nullptr) {
    room_.codes = arena.Take<int8_t>(filled * columns);
    room_.scales = arena.Take<float>(filled * columns / kInputGroup);
    room_.sums = arena.Take<PairSums>(filled * columns / kSummedCodes);
    if (HasTwoByteForms()) {
      room_.two_bytes = arena.Take<int16_t>(filled * columns);
    }
  }
  // A group of a block's tokens; those that fill it up are zeros.
  const auto quantise = [&](size_t block, size_t g) {
    const size_t at = block * groups + g, first = block * width;
    const size_t count = std::min(width, tokens_ - first);
    alignas(16) int8_t rows[kTokenBlock][kMostInputGroup];
    float scales[kTokenBlock] = {};
    for (size_t lane = 0; lane < width; ++lane) {
      if (lane < count) {
        const float* x = x_ + (first + lane) * columns + g * group;
        scales[lane] = QuantiseInt8(group, x, rows[lane]);
      } else {
        std::fill_n(rows[lane], group, int8_t{0});
      }
    }
    std::copy_n(scales, width, room_.scales + at * width);
    PairSums* sums = room_.sums + at * width * (group / kSummedCodes);
    for (int c = 0; c < group; c += kSummedCodes) {
      for (size_t lane = 0; lane < width; ++lane) {
        *sums++ = SumPairs(LoadI8(rows[lane] + c));
      }
    }
    int8_t* to = room_.codes + at * width * group;
    if (width == 1) {
      std::memcpy(to, rows[0], group);
      return;
    }
    for (int c = 0; c < group; c += 16) {
      I32x4 quads[kTokenBlock];
      for (int lane = 0; lane < kTokenBlock; ++lane) {
        quads[lane] = LoadI32(reinterpret_cast<const int32_t*>(rows[lane] + c));
      }
      Transpose(quads);
      for (const I32x4& of_tokens : quads) {
        StoreI32(reinterpret_cast<int32_t*>(to), of_tokens);
        to += 4 * kTokenBlock;
      }
    }
  };
  const size_t blocks = filled / width;
  ForRanges(workspace_.threads(), static_cast<int>(blocks * groups),
            static_cast<int>(kTaskColumns / width / group),
            [&](int from, int to) {
              for (size_t i = from; i < static_cast<size_t>(to); ++i) {
                quantise(i / groups, i % groups);
              }
            });
  form_ = Form::kNone;
  quantised_ = {.group = group,
                .codes = room_.codes,
                .scales = room_.scales,
                .sums = room_.sums,
                .blocks = static_cast<int>(blocks)};
  return quantised_;
}

const TokenQuantisedInput& ProductInput::QuantisedByToken() {
  if (by_token_.codes != nullptr) return by_token_;
  const ProfileScope scope(workspace_.profile(), {"quantise"});
  const size_t row_bytes = Int8InputBytes(columns_);
  const size_t bytes = tokens_ * row_bytes + kInt8ExtraBytes;
  if (room_.token_codes == nullptr) {
    room_.token_codes = workspace_.arena().Take<int8_t>(bytes);
    room_.token_scales =
        workspace_.arena().Take<TokenScale>(tokens_ + kInt8ExtraScales);
  }
  int8_t* codes = room_.token_codes;
  TokenScale* scales = room_.token_scales;
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

template <class Fill>
const int16_t* ProductInput::InForm(Form form, int group, const Fill& fill) {
  const int8_t* codes = Quantised(group).codes;
  if (form_ == form) return room_.two_bytes;
  const ProfileScope scope(workspace_.profile(), {"quantise"});
  CHECK(room_.two_bytes != nullptr);
  const size_t count = FilledTokens(tokens_) * columns_;
  fill(codes, count, room_.two_bytes);
  form_ = form;
  return room_.two_bytes;
}

const int16_t* ProductInput::Widened(int group) {
  const auto widen = [](const int8_t* codes, size_t count, int16_t* to) {
    for (size_t i = 0; i < count; ++i) to[i] = codes[i];
  };
  return InForm(Form::kWidened, group, widen);
}

const int8_t* ProductInput::Halved(int group) {
  const auto halve = [](const int8_t* codes, size_t count, int16_t* to) {
    auto* halves = reinterpret_cast<int8_t*>(to);
    for (size_t i = 0; i < count; i += 4) {
      for (size_t j = i; j < i + 4; ++j) {
        const int high = (codes[j] + 8) >> 4;
        halves[i + j] = static_cast<int8_t>(codes[j] - 16 * high);
        halves[i + j + 4] = static_cast<int8_t>(high);
      }
    }
  };
  return reinterpret_cast<const int8_t*>(InForm(Form::kHalved, group, halve));
}

void ProductInput::Replace(int tokens, const float* x) {
  DCHECK(tokens <= tokens_);
  tokens_ = tokens;
  x_ = x;
  quantised_ = {};
  by_token_ = {};
  form_ = Form::kNone;
}

}  // namespace fastweights
