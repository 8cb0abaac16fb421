// SPDX-License-Identifier: MIT
#include "kernels/selective_scan/selective_scan.h"

#include "golden_case.h"
#include "kernel_test.h"

namespace fastweights {
namespace {

TEST(SelectiveScanNaive, DefinitionGivesThePapersNumbers) {
  constexpr int kChannels = 16, kState = 8;
  for (const int tokens : {1, 5, 64, 200}) {
    SCOPED_TRACE(tokens);
    GoldenArrays arrays = ReadGoldenCase("mamba1", tokens);
    Poisoned out(static_cast<size_t>(tokens) * kChannels);
    SelectiveScanNaive(tokens, {.channels = kChannels, .state_dim = kState},
                       {.x = arrays["x"].data(),
                        .x_stride = kChannels,
                        .dt = arrays["dt"].data(),
                        .dt_stride = kChannels,
                        .A = arrays["A"].data(),
                        .B = arrays["B"].data(),
                        .B_stride = kState,
                        .C = arrays["C"].data(),
                        .C_stride = kState,
                        .D = arrays["D"].data(),
                        .state = arrays["state_in"].data(),
                        .out = out.data(),
                        .out_stride = kChannels});
    EXPECT_TRUE(out.intact());
    EXPECT_TRUE(Near(out.values(), arrays["y"], 2e-7));
    EXPECT_TRUE(Near(arrays["state_in"], arrays["state_out"], 2e-7));
  }
}

// The inputs of a call as a layer has them: B and C side by side, gaps of NaN.
class Problem {
 public:
  Problem(int channels, int state_dim, int tokens, size_t offset = 0)
      : shape_{.channels = channels, .state_dim = state_dim},
        tokens_(tokens),
        stride_(channels + kGap),
        random_(tokens * 1000 + channels * 10 + state_dim),
        x_(static_cast<size_t>(tokens) * stride_, offset),
        dt_(x_.size(), offset),
        bc_(static_cast<size_t>(tokens) * (2 * state_dim + kGap), offset),
        A_(random_.Uniforms(channels * state_dim, -4.0, -0.05), offset),
        D_(random_.Normals(channels), offset),
        state_(random_.Normals(channels * state_dim, 0.5), offset),
        out_(x_.size(), offset) {
    for (int t = 0; t < tokens; ++t) {
      Fill(x(t), random_.Normals(channels));
      Fill(dt(t), random_.Uniforms(channels, 0.001, 0.5));
      Fill(B(t), random_.Normals(2 * state_dim));
    }
  }

  float* x(int t) { return x_.data() + t * stride_; }
  float* dt(int t) { return dt_.data() + t * stride_; }
  float* B(int t) { return bc_.data() + t * (2 * shape_.state_dim + kGap); }
  float* A() { return A_.data(); }
  Poisoned& state() { return state_; }
  std::vector<float> outputs(bool in_place = false) {
    std::vector<float> all;
    for (int t = 0; t < tokens_; ++t) {
      const float* row = in_place ? x(t) : out_.data() + t * stride_;
      all.insert(all.end(), row, row + shape_.channels);
    }
    return all;
  }
  bool intact() const {
    return x_.intact() && dt_.intact() && bc_.intact() && state_.intact() &&
           out_.intact();
  }

  SelectiveScanArgs Args(int from, bool has_skip = true,
                         bool in_place = false) {
    const int bc_stride = 2 * shape_.state_dim + kGap;
    return {.x = x(from),
            .x_stride = stride_,
            .dt = dt(from),
            .dt_stride = stride_,
            .A = A_.data(),
            .B = B(from),
            .B_stride = bc_stride,
            .C = B(from) + shape_.state_dim,
            .C_stride = bc_stride,
            .D = has_skip ? D_.data() : nullptr,
            .state = state_.data(),
            .out = in_place ? x(from) : out_.data() + from * stride_,
            .out_stride = stride_};
  }
  // Channels in two parts, the last ones first; tokens [from, to).
  void Run(int from, int to, bool has_skip = true, bool in_place = false) {
    const SelectiveScanArgs args = Args(from, has_skip, in_place);
    const int half = shape_.channels / 2;
    SelectiveScan(to - from, shape_, args, half, shape_.channels);
    SelectiveScan(to - from, shape_, args, 0, half);
  }
  void RunNaive(bool has_skip = true) {
    SelectiveScanNaive(tokens_, shape_, Args(0, has_skip));
  }

 private:
  static constexpr int kGap = 3;
  static void Fill(float* to, const std::vector<float>& values) {
    std::copy(values.begin(), values.end(), to);
  }

  SelectiveScanShape shape_;
  int tokens_, stride_;
  Random random_;
  Poisoned x_, dt_, bc_, A_, D_, state_, out_;
};

void ExpectTheDefinition(const Problem& problem, int tokens, double limit,
                         bool has_skip = true) {
  Problem fast = problem, slow = problem;
  fast.Run(0, tokens, has_skip);
  slow.RunNaive(has_skip);
  EXPECT_TRUE(fast.intact());
  EXPECT_TRUE(Near(fast.outputs(), slow.outputs(), limit));
  EXPECT_TRUE(Near(fast.state().values(), slow.state().values(), limit));
}

TEST(SelectiveScan, EqualsTheDefinition) {
  for (const auto& [channels, state_dim] :
       {std::pair(1, 4), {3, 256}, {17, 16}, {64, 8}, {5, 60}}) {
    for (const int tokens : {1, 5, 63, 64, 65, 200, 1000}) {
      if (tokens > 200 && channels * state_dim > 600) continue;
      SCOPED_TRACE(testing::Message() << channels << " x " << state_dim << ", "
                                      << tokens << " tokens");
      const Problem problem(channels, state_dim, tokens, tokens % 4);
      ExpectTheDefinition(problem, tokens, 2e-6);
      ExpectTheDefinition(problem, tokens, 2e-6, false);
    }
  }
}

TEST(SelectiveScan, StateCarriesAcrossCalls) {
  const Problem problem(9, 16, 150);
  Problem whole = problem;
  whole.Run(0, 150);
  for (const int step : {1, 7, 64}) {
    Problem parts = problem;
    for (int t = 0; t < 150; t += step) parts.Run(t, std::min(t + step, 150));
    EXPECT_TRUE(Same(parts.outputs(), whole.outputs())) << step;
    EXPECT_TRUE(Same(parts.state().values(), whole.state().values())) << step;
  }
  Problem in_place = problem;
  in_place.Run(0, 150, true, true);
  EXPECT_TRUE(Same(in_place.outputs(true), whole.outputs()));
}

TEST(SelectiveScan, HazardousRatesAndInputsAreHarmless) {
  Problem problem(8, 16, 64);
  const float rates[] = {-1e4f, -1e-30f, -0.0f, -88.0f, -1e-3f};
  for (int i = 0; i < 8 * 16; ++i) problem.A()[i] = rates[i % 5];
  for (int t = 0; t < 64; ++t) {
    if (t % 5 == 1) std::fill_n(problem.dt(t), 8, 0.0f);
    if (t % 5 == 2) std::fill_n(problem.dt(t), 8, 1e-40f);
    if (t % 5 == 3) std::fill_n(problem.dt(t), 8, 1e4f);
    if (t % 7 == 3) std::fill_n(problem.B(t), 32, 1e-40f);
    if (t % 11 == 4) std::fill_n(problem.x(t), 8, 0.0f);
  }
  ExpectTheDefinition(problem, 64, 2e-6);
}

TEST(SelectiveScan, DoesNotDrift) {
  constexpr int kTokens = 100'000;
  Problem problem(2, 4, kTokens);
  for (int i = 0; i < 8; ++i) problem.A()[i] *= 1e-3f;
  ExpectTheDefinition(problem, kTokens, 1e-4);
}

TEST(SelectiveScan, NoTokensChangeNothing) {
  Problem problem(3, 4, 1);
  Problem before = problem;
  problem.Run(0, 0);
  EXPECT_TRUE(Same(problem.state().values(), before.state().values()));
}

}  // namespace
}  // namespace fastweights
