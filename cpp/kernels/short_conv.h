// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// Causal depthwise convolution over the last `width` tokens:
//
//   y_t[c] = f(b[c] + sum_{i < width} weight[i][c] * x_{t - width + 1 + i}[c])
//
// so the last tap meets the current token; f is silu or nothing. The state
// holds the inputs (before convolution and silu) of the last width - 1 tokens,
// oldest first.
//   weight  [width, channels]: taps outermost, so that lanes are channels
//   bias    [channels]; null for none
//   state   [width - 1, channels], read and written
//   x       [tokens, channels], replaced by y
// Rows of weight, state and x are `stride`, `stride` and `x_stride` floats
// apart, so that a call may take some of a layer's channels, and those of a
// wider product. channels % 4 == 0, 2 <= width <= kMaxConvWidth.
inline constexpr int kMaxConvWidth = 8;

enum class ConvActivation { kNone, kSilu };

struct ShortConvArgs {
  ConvActivation activation = ConvActivation::kSilu;
  const float* weight;
  const float* bias = nullptr;
  float* state;
  int stride;
  float* x;
  int x_stride;
};

void ShortConv(int tokens, int channels, int width, const ShortConvArgs& args);

}  // namespace fastweights
