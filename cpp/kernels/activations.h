// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fastweights {

// Elementwise over dense arrays of any length; out may be any of the inputs.

// out = silu(gate) * up, the inner part of SwiGLU (Shazeer, 2020).
void SwiGlu(size_t count, const float* gate, const float* up, float* out);

// out = x * sigmoid(gate)
void SigmoidGate(size_t count, const float* x, const float* gate, float* out);

// x += y
void AddTo(size_t count, const float* y, float* x);

float Sigmoid(float x);

// log(1 + e^x), without overflow.
float Softplus(float x);

}  // namespace fastweights
