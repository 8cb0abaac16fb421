// SPDX-License-Identifier: MIT
#include "kernel_test.h"
#include "kernels/ttt_linear/ttt_linear.h"

namespace fastweights {
namespace {

// q, k and v of a token side by side, gaps of NaN between them and between the
// heads' states.
class Problem {
 public:
  Problem(const TttLinearShape& shape, int tokens, size_t offset = 0)
      : shape_(shape),
        tokens_(tokens),
        row_(shape.heads * shape.dim),
        stride_(3 * row_ + kGap),
        state_stride_(TttLinearStateFloats(shape) + kGap),
        random_((tokens * 257u + shape.dim) * 257u + shape.mini_batch),
        qkv_(static_cast<size_t>(tokens) * stride_, offset),
        eta_(random_.Uniforms(tokens * shape.heads, 0.05, 1.0), offset),
        lr_(random_.Uniforms(tokens * shape.heads, 0.01, 0.2), offset),
        gamma_(random_.Uniforms(row_, 0.8, 1.2), offset),
        beta_(random_.Normals(row_, 0.1), offset),
        state_(static_cast<size_t>(shape.heads) * state_stride_, offset),
        out_(static_cast<size_t>(tokens) * row_, offset) {
    const double unit = 1.0 / std::sqrt(shape.dim);
    for (int t = 0; t < tokens; ++t) {
      Fill(q(t), random_.Normals(2 * row_, unit));
      Fill(v(t), random_.Normals(row_));
    }
    for (int h = 0; h < shape.heads; ++h) {
      Fill(head(h), std::vector<float>(TttLinearStateFloats(shape), 0.0f));
      Fill(head(h), random_.Normals(shape.dim * (shape.dim + 1), 0.3));
    }
  }

  float* q(int t) { return qkv_.data() + t * stride_; }
  float* k(int t) { return q(t) + row_; }
  float* v(int t) { return k(t) + row_; }
  Poisoned& eta() { return eta_; }
  Poisoned& lr() { return lr_; }
  Poisoned& out() { return out_; }
  // W, b and, if so told, what is pending.
  std::vector<float> states(bool all = true) {
    std::vector<float> states;
    const int count =
        all ? TttLinearStateFloats(shape_) : shape_.dim * (shape_.dim + 1);
    for (int h = 0; h < shape_.heads; ++h) {
      states.insert(states.end(), head(h), head(h) + count);
    }
    return states;
  }
  bool intact() const {
    return qkv_.intact() && state_.intact() && out_.intact();
  }

  TttLinearArgs Args(int from, bool has_lr) {
    return {.q = q(from),
            .q_stride = stride_,
            .k = k(from),
            .k_stride = stride_,
            .v = v(from),
            .v_stride = stride_,
            .eta = eta_.data() + from * shape_.heads,
            .lr = has_lr ? lr_.data() + from * shape_.heads : nullptr,
            .gamma = gamma_.data(),
            .beta = beta_.data(),
            .state = state_.data(),
            .state_stride = state_stride_,
            .out = out_.data() + from * row_,
            .out_stride = row_};
  }
  // Tokens [from, to), last head first.
  void Run(int from, int to, bool has_lr = true) {
    for (int h = shape_.heads - 1; h >= 0; --h) {
      TttLinear(from, to - from, shape_, Args(from, has_lr), h);
    }
  }
  void RunNaive(bool has_lr = true) {
    TttLinearNaive(tokens_, shape_, Args(0, has_lr));
  }

 private:
  static constexpr int kGap = 3;
  static void Fill(float* to, const std::vector<float>& values) {
    std::copy(values.begin(), values.end(), to);
  }
  float* head(int h) { return state_.data() + h * state_stride_; }

  TttLinearShape shape_;
  int tokens_, row_, stride_, state_stride_;
  Random random_;
  Poisoned qkv_, eta_, lr_, gamma_, beta_, state_, out_;
};

TttLinearShape Shape(int dim, int mini_batch,
                     TttResidual residual = TttResidual::kQuery) {
  return {.residual = residual,
          .heads = 2,
          .dim = dim,
          .mini_batch = mini_batch,
          .epsilon = 1e-6f};
}

void ExpectTheDefinition(const Problem& problem, int tokens, double limit,
                         bool has_lr = true) {
  Problem fast = problem, slow = problem;
  fast.Run(0, tokens, has_lr);
  slow.RunNaive(has_lr);
  EXPECT_TRUE(fast.intact());
  EXPECT_TRUE(Near(fast.out().values(), slow.out().values(), limit));
  EXPECT_TRUE(Near(fast.states(false), slow.states(false), limit));
}

TEST(TttLinear, EqualsTheDefinition) {
  for (const int dim : {4, 12, 16, 60, 64, 128, 256}) {
    for (const int tokens : {1, 5, 63, 64, 65, 200, 1000}) {
      if (tokens > (dim > 64   ? 5
                    : dim > 16 ? 65
                               : 200) &&
          !(dim == 12 && tokens == 1000)) {
        continue;
      }
      for (const int mini_batch : {1, 7, 16, 64}) {
        SCOPED_TRACE(testing::Message()
                     << dim << " dims, " << tokens << " by " << mini_batch);
        const Problem problem(Shape(dim, mini_batch), tokens, tokens % 4);
        ExpectTheDefinition(problem, tokens, 5e-6);
      }
    }
  }
}

TEST(TttLinear, OneRateForAllGradientsAndTheOtherResidual) {
  const TttLinearShape shape = Shape(16, 16, TttResidual::kOutput);
  Problem problem(shape, 70, 1);
  for (size_t i = 0; i < problem.eta().size(); ++i) {
    problem.eta().data()[i] *= 0.1f;
  }
  ExpectTheDefinition(problem, 70, 5e-6, false);
}

TEST(TttLinear, TokensOneAtATimeAreAMiniBatch) {
  const Problem problem(Shape(20, 16), 75);
  Problem whole = problem;
  whole.Run(0, 75);
  for (const int step : {1, 5, 16, 33}) {
    Problem parts = problem;
    for (int t = 0; t < 75; t += step) parts.Run(t, std::min(t + step, 75));
    EXPECT_TRUE(Same(parts.out().values(), whole.out().values())) << step;
    EXPECT_TRUE(Same(parts.states(), whole.states())) << step;
  }
}

TEST(TttLinear, WeightsRestWithinAMiniBatchAndNothingIsPendingAfterIt) {
  Problem problem(Shape(8, 16), 16), before = problem;
  problem.Run(0, 15);
  EXPECT_TRUE(Same(problem.states(false), before.states(false)));
  EXPECT_FALSE(Same(problem.states(), before.states()));
  problem.Run(15, 16);
  EXPECT_FALSE(Same(problem.states(false), before.states(false)));
  std::vector<float> rest = problem.states(), weights = problem.states(false);
  EXPECT_EQ(std::count(rest.begin(), rest.end(), 0.0f), 2 * 2 * 16 * 8)
      << "all but the weights of both heads";
}

// The gradient is that of the loss it is said to be.
TEST(TttLinear, LearnsAKeysValue) {
  const TttLinearShape shape = {.residual = TttResidual::kQuery,
                                .heads = 1,
                                .dim = 16,
                                .mini_batch = 1,
                                .epsilon = 1e-6f};
  constexpr int kSteps = 200;
  Random random(3);
  const std::vector<float> k = random.Normals(16, 0.25);
  // A target that a layer norm can give: of mean 0 and variance 1.
  std::vector<float> target(16), v(16);
  for (int i = 0; i < 16; ++i) target[i] = (i * 5 % 16 - 7.5f) / 4.60977f;
  for (int i = 0; i < 16; ++i) v[i] = target[i] + k[i];
  const std::vector<float> ones(16, 1.0f), zeros(16, 0.0f);
  const std::vector<float> rate(kSteps, 0.5f);
  std::vector<float> state(TttLinearStateFloats(shape), 0.0f);
  std::copy_n(random.Normals(272, 0.3).begin(), 272, state.begin());
  Poisoned out(16 * kSteps);
  TttLinear(0, kSteps, shape,
            {.q = k.data(),
             .q_stride = 0,
             .k = k.data(),
             .k_stride = 0,
             .v = v.data(),
             .v_stride = 0,
             .eta = rate.data(),
             .lr = nullptr,
             .gamma = ones.data(),
             .beta = zeros.data(),
             .state = state.data(),
             .state_stride = TttLinearStateFloats(shape),
             .out = out.data(),
             .out_stride = 16},
            0);
  EXPECT_TRUE(Near(out.values().last(16), v, 1e-3));
  EXPECT_FALSE(Near(out.values().first(16), v, 0.1));
}

TEST(TttLinear, HazardousRatesAndKeysAreHarmless) {
  Problem problem(Shape(12, 16), 64);
  const float rates[] = {0.0f, 1.0f, 1e-40f, 2.0f, 0.5f};
  for (size_t i = 0; i < problem.eta().size(); ++i) {
    problem.eta().data()[i] = rates[i % 5];
    problem.lr().data()[i] = 0.1f * rates[i % 4];
  }
  for (int t = 0; t < 64; ++t) {
    if (t % 5 == 1) std::fill_n(problem.k(t), 24, 0.0f);
    if (t % 5 == 2) std::fill_n(problem.k(t), 24, 1e-40f);
    if (t % 7 == 3) std::fill_n(problem.q(t), 24, -1e-40f);
    if (t % 11 == 4) std::fill_n(problem.v(t), 24, 1e-40f);
  }
  ExpectTheDefinition(problem, 64, 5e-6);
}

TEST(TttLinear, DoesNotDrift) {
  constexpr int kTokens = 100'000;
  const TttLinearShape shape = {.residual = TttResidual::kQuery,
                                .heads = 1,
                                .dim = 8,
                                .mini_batch = 16,
                                .epsilon = 1e-6f};
  ExpectTheDefinition(Problem(shape, kTokens), kTokens, 1e-3);
}

TEST(TttLinear, NoTokensChangeNothing) {
  Problem problem(Shape(4, 16), 1), before = problem;
  problem.Run(0, 0);
  EXPECT_TRUE(Same(problem.states(), before.states()));
}

}  // namespace
}  // namespace fastweights
