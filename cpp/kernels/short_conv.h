// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// Causal depthwise convolution over the last `width` tokens, then silu:
//
//   y_t[c] = silu( sum_{i < width} weight[i][c] * x_{t - width + 1 + i}[c] )
//
// so the last tap meets the current token. The state holds the inputs (before
// convolution and silu) of the last width - 1 tokens, oldest first.
//   weight  [width, channels]: taps outermost, so that lanes are channels
//   state   [width - 1, channels], read and written
//   x       [tokens, channels], replaced by y
// Rows of all three are `stride` floats apart, so that a call may take some of
// a layer's channels. channels % 4 == 0, 2 <= width <= kMaxConvWidth.
inline constexpr int kMaxConvWidth = 8;
void ShortConvSilu(int tokens, int channels, int width, int stride,
                   const float* weight, float* state, float* x);

}  // namespace fastweights
