// SPDX-License-Identifier: MIT
#include "kernels/decay_gates.h"

#include <cmath>

#include "kernels/activations.h"
#include "kernels/exp.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// log(1 + e^x) = max(x, 0) + log(1 + e^-|x|)
class SoftplusOf {
 public:
  F32x4 operator()(F32x4 x) const {
    return Add(Max(x, zero_), log_(exp_(Sub(zero_, Abs(x)))));
  }

 private:
  Exp exp_;
  LogOnePlus log_;
  F32x4 zero_ = Splat(0.0f);
};

// g[i] = f(x[i], y[i]); what is left over goes through a padded copy.
template <typename F>
void Map(size_t count, const float* x, const float* y, float* g, const F& f) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4) Store(g + i, f(Load(x + i), Load(y + i)));
  if (i == count) return;
  float tail[2][4] = {};
  for (size_t j = i; j < count; ++j) {
    tail[0][j - i] = x[j];
    tail[1][j - i] = y[j];
  }
  Store(tail[0], f(Load(tail[0]), Load(tail[1])));
  for (size_t j = i; j < count; ++j) g[j] = tail[0][j - i];
}

}  // namespace

void SoftplusDecay(size_t count, const float* x, const float* bias, float scale,
                   float* g) {
  const SoftplusOf softplus;
  const F32x4 factor = Splat(scale);
  Map(count, x, bias, g,
      [&](F32x4 v, F32x4 b) { return Mul(factor, softplus(Add(v, b))); });
}

void BoundedDecay(size_t count, const float* x, const float* bias, float slope,
                  float bound, float* g) {
  const Exp exp;
  const F32x4 factor = Splat(slope), least = Splat(bound);
  Map(count, x, bias, g, [&](F32x4 v, F32x4 b) {
    return Mul(least, exp.Sigmoid(Mul(factor, Add(v, b))));
  });
}

void LogSigmoidDecay(size_t count, const float* x, float divisor, float floor,
                     float* g) {
  const SoftplusOf softplus;
  const F32x4 zero = Splat(0.0f), by = Splat(divisor), least = Splat(floor);
  Map(count, x, x, g, [&](F32x4 v, F32x4) {
    return Max(Div(Sub(zero, softplus(Sub(zero, v))), by), least);
  });
}

void ForgetDecay(size_t count, const float* x, const float* lower, float* g,
                 float* k) {
  if (lower == nullptr) {
    const Exp exp;
    const SoftplusOf softplus;
    const F32x4 zero = Splat(0.0f);
    Map(count, x, x, g,
        [&](F32x4 v, F32x4) { return Sub(zero, softplus(Sub(zero, v))); });
    return Map(count, x, x, k,
               [&](F32x4 v, F32x4) { return exp.Sigmoid(Sub(zero, v)); });
  }
  for (size_t i = 0; i < count; ++i) {
    // The logarithm of the gate from what is small of it, which has all its
    // digits.
    const float rest = 1.0f - lower[i], key = rest * Sigmoid(-x[i]);
    g[i] = key < 0.5f ? std::log1p(-key)
                      : std::log(lower[i] + rest * Sigmoid(x[i]));
    k[i] = key;
  }
}

float RetentionDecay(int head) {
  return std::log1p(-std::exp2(-5.0f - static_cast<float>(head)));
}

}  // namespace fastweights
