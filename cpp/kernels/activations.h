// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fastweights {

// Elementwise over dense arrays of any length; out may be any of the inputs.

// out = silu(gate) * up, the inner part of SwiGLU (Shazeer, 2020).
void SwiGlu(size_t count, const float* gate, const float* up, float* out);

// x = max(x, 0)^2
void ReluSquared(size_t count, float* x);

// x = tanh(x), to 2^-22 of one.
void Tanh(size_t count, float* x);

// x = sigmoid(x)
void SigmoidAll(size_t count, float* x);

// out = x * sigmoid(gate)
void SigmoidGate(size_t count, const float* x, const float* gate, float* out);

// out = x * y
void Multiply(size_t count, const float* x, const float* y, float* out);

// x += scale * y
void AddScaled(size_t count, float scale, const float* y, float* x);

// x *= scale
void Scale(size_t count, float scale, float* x);

// x = cap * tanh(x / cap), the soft cap of logits (Gemma Team, 2024).
void SoftCap(size_t count, float cap, float* x);

float Sigmoid(float x);

// log(1 + e^x), without overflow.
float Softplus(float x);

// x = log(1 + e^x), elementwise.
void Softplus(size_t count, float* x);

}  // namespace fastweights
