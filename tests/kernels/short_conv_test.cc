// SPDX-License-Identifier: MIT
#include "kernels/short_conv.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

// Arrays of a call that takes `channels` of a layer's `stride` ones; those in
// between are numbers that must stay.
struct Problem {
  Problem(int tokens, int channels, int width, size_t offset = 0, int gap = 0)
      : tokens(tokens),
        channels(channels),
        width(width),
        stride(channels + gap),
        random(width * 1000 + tokens),
        weight(random.Normals(static_cast<size_t>(width) * stride), offset),
        state(random.Normals(static_cast<size_t>(width - 1) * stride), offset),
        x(random.Normals(static_cast<size_t>(tokens) * stride), offset) {}

  void Run(int from, int to) {
    ShortConvSilu(to - from, channels, width, stride, weight.data(),
                  state.data(), x.data() + from * stride);
  }
  bool intact() const {
    return weight.intact() && state.intact() && x.intact();
  }

  int tokens, channels, width, stride;
  Random random;
  Poisoned weight, state, x;
};

// The sum over taps as the header states it, in float64; what lies between the
// channels as it is.
std::vector<double> Direct(const Problem& p) {
  const int history = p.width - 1;
  std::vector<double> out;
  for (int t = 0; t < p.tokens; ++t) {
    for (int c = 0; c < p.stride; ++c) {
      double sum = 0.0;
      for (int i = 0; i < p.width; ++i) {
        const int at = t - history + i;
        const double x = at < 0
                             ? p.state.values()[(at + history) * p.stride + c]
                             : p.x.values()[at * p.stride + c];
        sum += p.weight.values()[i * p.stride + c] * x;
      }
      out.push_back(c < p.channels ? sum / (1.0 + std::exp(-sum))
                                   : p.x.values()[t * p.stride + c]);
    }
  }
  return out;
}

// The inputs of the last width - 1 tokens, oldest first.
std::vector<float> LastInputs(const Problem& p) {
  const auto state = p.state.values(), x = p.x.values();
  std::vector<float> all(state.begin(), state.end());
  all.insert(all.end(), x.begin(), x.end());
  all.erase(all.begin(), all.end() - (p.width - 1) * p.stride);
  for (size_t i = 0; i < all.size(); ++i) {
    if (static_cast<int>(i) % p.stride >= p.channels) all[i] = state[i];
  }
  return all;
}

TEST(ShortConvSilu, EqualsTheDirectSum) {
  for (int width = 2; width <= kMaxConvWidth; ++width) {
    for (const int tokens : {1, 2, 3, 4, 5, 7, 8, 33}) {
      for (const int channels : {4, 12, 64}) {
        for (const size_t offset : {0, 1}) {
          SCOPED_TRACE(testing::Message()
                       << tokens << " x " << channels << ", width " << width);
          const int gap = offset == 0 ? 0 : 5;
          Problem problem(tokens, channels, width, offset, gap);
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

TEST(ShortConvSilu, StateCarriesAcrossCalls) {
  for (int width = 2; width <= kMaxConvWidth; ++width) {
    Problem whole(33, 12, width);
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

TEST(ShortConvSilu, LastTapMeetsTheCurrentToken) {
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
