// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fastweights {

// Log decays of linear attention, and how models make them of a projection x.
// Elementwise over dense arrays of `count`; g may be x, but for ForgetDecay.

// g = scale * softplus(x + bias), as in Kimi Delta Attention (Kimi Team 2025),
// where scale is -e^A of a head.
void SoftplusDecay(size_t count, const float* x, const float* bias, float scale,
                   float* g);

// g = bound * sigmoid(slope * (x + bias)): Kimi Delta Attention whose log
// decays stay above bound < 0.
void BoundedDecay(size_t count, const float* x, const float* bias, float slope,
                  float bound, float* g);

// g = max(logsigmoid(x) / divisor, floor), as in gated linear attention (Yang
// et al. 2023).
void LogSigmoidDecay(size_t count, const float* x, float divisor, float floor,
                     float* g);

// A forget gate that also is the key (Qin et al., HGRN2, 2024):
//   f = l + (1 - l) sigmoid(x);  g = log f,  k = 1 - f
// with lower bounds l [count], or null: zero. k may be x, g may not.
void ForgetDecay(size_t count, const float* x, const float* lower, float* g,
                 float* k);

// RetNet's (Sun et al. 2023), log(1 - 2^(-5 - head)).
float RetentionDecay(int head);

}  // namespace fastweights
