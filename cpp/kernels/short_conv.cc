// SPDX-License-Identifier: MIT
#include "kernels/short_conv.h"

#include "base/check.h"
#include "kernels/exp.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// kTokens at once: with four of them and four taps, seven loads of inputs and
// four of weights serve sixteen multiplications.
template <int kWidth, int kTokens>
void Tokens(const Exp& exp, int channels, int stride, const float* weight,
            float* state, float* x) {
  constexpr int kHistory = kWidth - 1;
  for (int c = 0; c < channels; c += 4) {
    F32x4 in[kHistory + kTokens];
    for (int i = 0; i < kHistory; ++i) in[i] = Load(state + i * stride + c);
    for (int t = 0; t < kTokens; ++t) {
      in[kHistory + t] = Load(x + t * stride + c);
    }
    for (int t = 0; t < kTokens; ++t) {
      F32x4 sum = Mul(Load(weight + c), in[t]);
      for (int i = 1; i < kWidth; ++i) {
        sum = MulAdd(Load(weight + i * stride + c), in[t + i], sum);
      }
      Store(x + t * stride + c, Mul(sum, exp.Sigmoid(sum)));
    }
    for (int i = 0; i < kHistory; ++i) {
      Store(state + i * stride + c, in[kTokens + i]);
    }
  }
}

template <int kWidth>
void Run(int tokens, int channels, int stride, const float* weight,
         float* state, float* x) {
  const Exp exp;
  int t = 0;
  for (; t + 4 <= tokens; t += 4) {
    Tokens<kWidth, 4>(exp, channels, stride, weight, state, x + t * stride);
  }
  for (; t < tokens; ++t) {
    Tokens<kWidth, 1>(exp, channels, stride, weight, state, x + t * stride);
  }
}

}  // namespace

void ShortConvSilu(int tokens, int channels, int width, int stride,
                   const float* weight, float* state, float* x) {
  DCHECK(channels % 4 == 0 && channels <= stride);
  const auto run = [&](auto form) {
    form(tokens, channels, stride, weight, state, x);
  };
  switch (width) {
    case 2:
      return run(Run<2>);
    case 3:
      return run(Run<3>);
    case 4:
      return run(Run<4>);
    case 5:
      return run(Run<5>);
    case 6:
      return run(Run<6>);
    case 7:
      return run(Run<7>);
    case 8:
      return run(Run<8>);
  }
  CHECK(false);
}

}  // namespace fastweights
