// SPDX-License-Identifier: MIT
#include "kernels/short_conv.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

struct Problem {
  Problem(int tokens, int channels, int width, size_t offset = 0)
      : tokens(tokens),
        channels(channels),
        width(width),
        out(static_cast<size_t>(tokens) * channels, offset) {
    Random random(width * 1000 + tokens);
    x = random.Normals(static_cast<size_t>(tokens) * channels + offset);
    weight = random.Normals(static_cast<size_t>(width) * channels + offset);
    x.erase(x.begin(), x.begin() + offset);
    state = random.Normals(static_cast<size_t>(width - 1) * channels);
  }

  void Run(int from, int to, Poisoned& carried) {
    ShortConvSilu(to - from, channels, width, x.data() + from * channels,
                  weight.data(), carried.data(), out.data() + from * channels);
  }

  int tokens, channels, width;
  std::vector<float> x, weight, state;
  Poisoned out;
};

// The sum over taps as the header states it, in float64.
std::vector<double> Direct(const Problem& p) {
  const int history = p.width - 1;
  std::vector<double> out;
  for (int t = 0; t < p.tokens; ++t) {
    for (int c = 0; c < p.channels; ++c) {
      double sum = 0.0;
      for (int i = 0; i < p.width; ++i) {
        const int at = t - history + i;
        const double x = at < 0 ? p.state[(at + history) * p.channels + c]
                                : p.x[at * p.channels + c];
        sum += p.weight[i * p.channels + c] * x;
      }
      out.push_back(sum / (1.0 + std::exp(-sum)));
    }
  }
  return out;
}

// The inputs of the last width - 1 tokens, oldest first.
std::vector<float> LastInputs(const Problem& p) {
  std::vector<float> all = p.state;
  all.insert(all.end(), p.x.begin(), p.x.end());
  return {all.end() - (p.width - 1) * p.channels, all.end()};
}

TEST(ShortConvSilu, EqualsTheDirectSum) {
  for (int width = 2; width <= kMaxConvWidth; ++width) {
    for (const int tokens : {1, 2, 3, 5, 7, 8, 33}) {
      for (const int channels : {4, 12, 64}) {
        for (const size_t offset : {0, 1}) {
          SCOPED_TRACE(testing::Message()
                       << tokens << " x " << channels << ", width " << width);
          Problem problem(tokens, channels, width, offset);
          Poisoned state(problem.state, offset);
          problem.Run(0, tokens, state);
          EXPECT_TRUE(Near(problem.out.values(), Direct(problem), 1e-6));
          EXPECT_TRUE(Same(state.values(), LastInputs(problem)));
          EXPECT_TRUE(problem.out.intact() && state.intact());
        }
      }
    }
  }
}

TEST(ShortConvSilu, StateCarriesAcrossCalls) {
  for (int width = 2; width <= kMaxConvWidth; ++width) {
    Problem whole(33, 12, width);
    Poisoned carried(whole.state, 0);
    whole.Run(0, 33, carried);
    for (const int step : {1, 2, 3, 8, 32}) {
      Problem parts(33, 12, width);
      Poisoned state(parts.state, 0);
      for (int t = 0; t < 33; t += step) {
        parts.Run(t, std::min(t + step, 33), state);
      }
      EXPECT_TRUE(Same(parts.out.values(), whole.out.values())) << step;
      EXPECT_TRUE(Same(state.values(), carried.values())) << step;
    }
  }
}

TEST(ShortConvSilu, LastTapMeetsTheCurrentToken) {
  Problem problem(3, 4, 4);
  std::fill(problem.weight.begin(), problem.weight.end(), 0.0f);
  std::fill(problem.weight.end() - 4, problem.weight.end(), 1.0f);
  Poisoned state(problem.state, 0);
  problem.Run(0, 3, state);
  for (size_t i = 0; i < problem.x.size(); ++i) {
    const float x = problem.x[i];
    EXPECT_NEAR(problem.out.values()[i], x / (1.0f + std::exp(-x)), 1e-6);
  }
}

}  // namespace
}  // namespace fastweights
