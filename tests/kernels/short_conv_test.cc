// SPDX-License-Identifier: MIT
#include "kernels/short_conv.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

// Arrays of a call that takes `channels` of a layer's `stride` ones, out of
// rows of x that are wider still; those in between are numbers that must stay.
struct Problem {
  Problem(int tokens, int channels, int width, size_t offset = 0, int gap = 0)
      : tokens(tokens),
        channels(channels),
        width(width),
        stride(channels + gap),
        x_stride(channels + 2 * gap),
        random(width * 1000 + tokens),
        weight(random.Normals(static_cast<size_t>(width) * stride), offset),
        bias(random.Normals(channels), offset),
        state(random.Normals(static_cast<size_t>(width - 1) * stride), offset),
        x(random.Normals(static_cast<size_t>(tokens) * x_stride), offset) {}

  void Run(int from, int to) {
    ShortConv(to - from, channels, width,
              {.activation = activation,
               .weight = weight.data(),
               .bias = has_bias ? bias.data() : nullptr,
               .state = state.data(),
               .stride = stride,
               .x = x.data() + from * x_stride,
               .x_stride = x_stride});
  }
  bool intact() const {
    return weight.intact() && bias.intact() && state.intact() && x.intact();
  }

  int tokens, channels, width, stride, x_stride;
  ConvActivation activation = ConvActivation::kSilu;
  bool has_bias = false;
  Random random;
  Poisoned weight, bias, state, x;
};

// The sum over taps as the header states it, in float64; what lies between the
// channels as it is.
std::vector<double> Direct(const Problem& p) {
  const int history = p.width - 1;
  std::vector<double> out;
  for (int t = 0; t < p.tokens; ++t) {
    for (int c = 0; c < p.x_stride; ++c) {
      if (c >= p.channels) {
        out.push_back(p.x.values()[t * p.x_stride + c]);
        continue;
      }
      double sum = p.has_bias ? p.bias.values()[c] : 0.0;
      for (int i = 0; i < p.width; ++i) {
        const int at = t - history + i;
        const double x = at < 0
                             ? p.state.values()[(at + history) * p.stride + c]
                             : p.x.values()[at * p.x_stride + c];
        sum += p.weight.values()[i * p.stride + c] * x;
      }
      const bool silu = p.activation == ConvActivation::kSilu;
      out.push_back(silu ? sum / (1.0 + std::exp(-sum)) : sum);
    }
  }
  return out;
}

// The inputs of the last width - 1 tokens, oldest first.
std::vector<float> LastInputs(const Problem& p) {
  const auto state = p.state.values(), x = p.x.values();
  std::vector<float> last(state.begin(), state.end());
  const int history = p.width - 1;
  for (int i = 0; i < history; ++i) {
    const int at = p.tokens - history + i;  // among the new tokens, or before
    for (int c = 0; c < p.channels; ++c) {
      last[i * p.stride + c] = at < 0 ? state[(at + history) * p.stride + c]
                                      : x[at * p.x_stride + c];
    }
  }
  return last;
}

TEST(ShortConv, EqualsTheDirectSum) {
  for (int width = 2; width <= kMaxConvWidth; ++width) {
    for (const int tokens : {1, 2, 3, 4, 5, 7, 8, 33}) {
      for (const int channels : {4, 12, 64}) {
        for (const size_t offset : {0, 1}) {
          SCOPED_TRACE(testing::Message()
                       << tokens << " x " << channels << ", width " << width);
          const int gap = offset == 0 ? 0 : 5;
          Problem problem(tokens, channels, width, offset, gap);
          problem.has_bias = tokens % 2 == 0;
          if (channels == 12) problem.activation = ConvActivation::kNone;
          const std::vector<double> expected = Direct(problem);
          const std::vector<float> inputs = LastInputs(problem);
          problem.Run(0, tokens);
          EXPECT_TRUE(Near(problem.x.values(), expected, 1e-6));
          EXPECT_TRUE(Same(problem.state.values(), inputs));
          EXPECT_TRUE(problem.intact());
        }
      }
    }
  }
}

TEST(ShortConv, StateCarriesAcrossCalls) {
  for (int width = 2; width <= kMaxConvWidth; ++width) {
    Problem whole(33, 12, width);
    whole.has_bias = true;
    const Problem before = whole;
    whole.Run(0, 33);
    for (const int step : {1, 2, 3, 6, 8, 32}) {
      Problem parts = before;
      for (int t = 0; t < 33; t += step) parts.Run(t, std::min(t + step, 33));
      EXPECT_TRUE(Same(parts.x.values(), whole.x.values())) << step;
      EXPECT_TRUE(Same(parts.state.values(), whole.state.values())) << step;
    }
  }
}

TEST(ShortConv, LastTapMeetsTheCurrentToken) {
  Problem problem(3, 4, 4);
  std::fill_n(problem.weight.data(), 12, 0.0f);
  std::fill_n(problem.weight.data() + 12, 4, 1.0f);
  const Problem before = problem;
  problem.Run(0, 3);
  for (size_t i = 0; i < before.x.size(); ++i) {
    const float x = before.x.values()[i];
    EXPECT_NEAR(problem.x.values()[i], x / (1.0f + std::exp(-x)), 1e-6);
  }
}

}  // namespace
}  // namespace fastweights
