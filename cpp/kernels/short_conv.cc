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
void Tokens(const Exp& exp, int channels, const ShortConvArgs& a, float* x) {
  constexpr int kHistory = kWidth - 1;
  for (int c = 0; c < channels; c += 4) {
    F32x4 in[kHistory + kTokens];
    for (int i = 0; i < kHistory; ++i) in[i] = Load(a.state + i * a.stride + c);
    for (int t = 0; t < kTokens; ++t) {
      in[kHistory + t] = Load(x + t * a.x_stride + c);
    }
    for (int t = 0; t < kTokens; ++t) {
      F32x4 sum = Mul(Load(a.weight + c), in[t]);
      for (int i = 1; i < kWidth; ++i) {
        sum = MulAdd(Load(a.weight + i * a.stride + c), in[t + i], sum);
      }
      if (a.bias != nullptr) sum = Add(sum, Load(a.bias + c));
      if (a.activation == ConvActivation::kSilu) {
        sum = Mul(sum, exp.Sigmoid(sum));
      }
      Store(x + t * a.x_stride + c, sum);
    }
    for (int i = 0; i < kHistory; ++i) {
      Store(a.state + i * a.stride + c, in[kTokens + i]);
    }
  }
}

template <int kWidth>
void Run(int tokens, int channels, const ShortConvArgs& args) {
  const Exp exp;
  float* x = args.x;
  int t = 0;
  for (; t + 4 <= tokens; t += 4, x += 4 * args.x_stride) {
    Tokens<kWidth, 4>(exp, channels, args, x);
  }
  for (; t < tokens; ++t, x += args.x_stride) {
    Tokens<kWidth, 1>(exp, channels, args, x);
  }
}

}  // namespace

void ShortConv(int tokens, int channels, int width, const ShortConvArgs& args) {
  DCHECK(channels % 4 == 0 && channels <= args.stride &&
         channels <= args.x_stride);
  const auto run = [&](auto form) { form(tokens, channels, args); };
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
