// SPDX-License-Identifier: MIT
#include "kernels/activations.h"

#include <cmath>

#include "kernels/exp.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// out[i] = f(a[i], b[i]); the tail goes through a padded copy.
template <typename F>
void Map(size_t count, const float* a, const float* b, float* out, F f) {
  const size_t whole = count / 4 * 4;
  for (size_t i = 0; i < whole; i += 4) {
    Store(out + i, f(Load(a + i), Load(b + i)));
  }
  if (whole == count) return;
  float tail_a[4] = {}, tail_b[4] = {}, tail_out[4];
  for (size_t i = whole; i < count; ++i) {
    tail_a[i - whole] = a[i];
    tail_b[i - whole] = b[i];
  }
  Store(tail_out, f(Load(tail_a), Load(tail_b)));
  for (size_t i = whole; i < count; ++i) out[i] = tail_out[i - whole];
}

}  // namespace

void SwiGlu(size_t count, const float* gate, const float* up, float* out) {
  const Exp exp;
  Map(count, gate, up, out,
      [&](F32x4 g, F32x4 u) { return Mul(Mul(g, exp.Sigmoid(g)), u); });
}

void ReluSquared(size_t count, float* x) {
  Map(count, x, x, x, [](F32x4 a, F32x4) {
    const F32x4 positive = Max(a, Splat(0.0f));
    return Mul(positive, positive);
  });
}

void Tanh(size_t count, float* x) {
  const Exp exp;
  const F32x4 one = Splat(1.0f);
  Map(count, x, x, x, [&](F32x4 a, F32x4) {
    const F32x4 half = exp.Sigmoid(Add(a, a));
    return Sub(Add(half, half), one);
  });
}

void SigmoidAll(size_t count, float* x) {
  const Exp exp;
  Map(count, x, x, x, [&](F32x4 a, F32x4) { return exp.Sigmoid(a); });
}

void SigmoidGate(size_t count, const float* x, const float* gate, float* out) {
  const Exp exp;
  Map(count, x, gate, out,
      [&](F32x4 v, F32x4 g) { return Mul(v, exp.Sigmoid(g)); });
}

void Multiply(size_t count, const float* x, const float* y, float* out) {
  Map(count, x, y, out, [](F32x4 a, F32x4 b) { return Mul(a, b); });
}

void AddScaled(size_t count, float scale, const float* y, float* x) {
  const F32x4 factor = Splat(scale);
  Map(count, x, y, x, [&](F32x4 a, F32x4 b) { return MulAdd(b, factor, a); });
}

void Scale(size_t count, float scale, float* x) {
  const F32x4 factor = Splat(scale);
  Map(count, x, x, x, [&](F32x4 a, F32x4) { return Mul(a, factor); });
}

void Softplus(size_t count, float* x) {
  const Exp exp;
  const LogOnePlus log_one_plus;
  const F32x4 zero = Splat(0.0f);
  Map(count, x, x, x, [&](F32x4 a, F32x4) {
    return Add(Max(a, zero), log_one_plus(exp(Sub(zero, Abs(a)))));
  });
}

void SoftCap(size_t count, float cap, float* x) {
  for (size_t i = 0; i < count; ++i) x[i] = cap * std::tanh(x[i] / cap);
}

float Sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

float Softplus(float x) { return x > 20.0f ? x : std::log1p(std::exp(x)); }

}  // namespace fastweights
