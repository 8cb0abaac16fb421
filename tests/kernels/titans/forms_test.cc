// SPDX-License-Identifier: MIT
#include "kernel_test.h"
#include "kernels/titans/titans.h"

namespace fastweights {
namespace {

// q, k and v of a token side by side, gaps of NaN between them and between
// the heads' states.
class Problem {
 public:
  Problem(const TitansShape& shape, int tokens, size_t offset = 0)
      : shape_(shape),
        tokens_(tokens),
        stride_(shape.heads * (2 * shape.key_dim + shape.value_dim) + kGap),
        state_stride_(TitansStateFloats(shape) + kGap),
        random_((tokens * 257u + shape.key_dim) * 257u + shape.value_dim),
        qkv_(static_cast<size_t>(tokens) * stride_, offset),
        alpha_(random_.Uniforms(Gates(), 0.001, 0.2), offset),
        eta_(random_.Uniforms(Gates(), 0.1, 0.9), offset),
        theta_(random_.Uniforms(Gates(), 0.05, 0.5), offset),
        state_(static_cast<size_t>(shape.heads) * state_stride_, offset),
        out_(static_cast<size_t>(tokens) * shape.heads * shape.value_dim,
             offset) {
    for (int t = 0; t < tokens; ++t) {
      for (int h = 0; h < 2 * shape.heads; ++h) Unit(q(t) + h * shape.key_dim);
      Fill(v(t), random_.Normals(shape.heads * shape.value_dim));
    }
    for (int h = 0; h < shape.heads; ++h) {
      Fill(state_.data() + h * state_stride_,
           std::vector<float>(TitansStateFloats(shape), 0.0f));
      Fill(state_.data() + h * state_stride_,
           random_.Normals(2 * shape.key_dim * shape.value_dim, 0.3));
    }
  }

  float* q(int t) { return qkv_.data() + t * stride_; }
  float* k(int t) { return q(t) + shape_.heads * shape_.key_dim; }
  float* v(int t) { return k(t) + shape_.heads * shape_.key_dim; }
  Poisoned& alpha() { return alpha_; }
  Poisoned& eta() { return eta_; }
  Poisoned& theta() { return theta_; }
  Poisoned& out() { return out_; }
  // M and S of each head, then, if so told, what is pending.
  std::vector<float> states(bool has_pending = true) {
    const int count = has_pending ? TitansStateFloats(shape_)
                                  : 2 * shape_.key_dim * shape_.value_dim;
    std::vector<float> all;
    for (int h = 0; h < shape_.heads; ++h) {
      const float* head = state_.data() + h * state_stride_;
      all.insert(all.end(), head, head + count);
    }
    return all;
  }
  bool intact() const {
    return qkv_.intact() && state_.intact() && out_.intact();
  }

  TitansArgs Args(int from, bool in_place = false) {
    const int row = shape_.heads * shape_.value_dim;
    return {.q = q(from),
            .q_stride = stride_,
            .k = k(from),
            .k_stride = stride_,
            .v = v(from),
            .v_stride = stride_,
            .alpha = alpha_.data() + from * shape_.heads,
            .eta = eta_.data() + from * shape_.heads,
            .theta = theta_.data() + from * shape_.heads,
            .state = state_.data(),
            .state_stride = state_stride_,
            .out = in_place ? v(from) : out_.data() + from * row,
            .out_stride = in_place ? stride_ : row};
  }
  // Tokens [from, to), last head first.
  void Run(int from, int to, bool in_place = false) {
    for (int h = shape_.heads - 1; h >= 0; --h) {
      const TitansArgs args = Args(from, in_place);
      if (shape_.mini_batch == 1) {
        TitansRecurrent(to - from, shape_, args, h);
      } else {
        TitansMiniBatch(from, to - from, shape_, args, h);
      }
    }
  }
  void RunNaive() { TitansNaive(tokens_, shape_, Args(0)); }

 private:
  static constexpr int kGap = 3;
  static void Fill(float* to, const std::vector<float>& values) {
    std::copy(values.begin(), values.end(), to);
  }
  void Unit(float* to) {
    Fill(to, random_.Normals(shape_.key_dim));
    double norm = 0.0;
    for (int i = 0; i < shape_.key_dim; ++i) norm += double{to[i]} * to[i];
    for (int i = 0; i < shape_.key_dim; ++i) {
      to[i] = static_cast<float>(to[i] / std::sqrt(norm));
    }
  }
  size_t Gates() const { return static_cast<size_t>(tokens_) * shape_.heads; }

  TitansShape shape_;
  int tokens_, stride_, state_stride_;
  Random random_;
  Poisoned qkv_, alpha_, eta_, theta_, state_, out_;
};

void ExpectTheDefinition(const Problem& problem, int tokens, double limit) {
  Problem fast = problem, slow = problem;
  fast.Run(0, tokens);
  slow.RunNaive();
  EXPECT_TRUE(fast.intact());
  EXPECT_TRUE(Near(fast.out().values(), slow.out().values(), limit));
  EXPECT_TRUE(Near(fast.states(false), slow.states(false), limit));
}

class TitansForms : public testing::TestWithParam<int> {
 protected:
  static TitansShape Shape(int heads, int key_dim, int value_dim) {
    return {.heads = heads,
            .key_dim = key_dim,
            .value_dim = value_dim,
            .mini_batch = GetParam()};
  }
  static TitansShape Small() { return Shape(3, 12, 20); }
};

TEST_P(TitansForms, EqualsTheDefinition) {
  for (const auto& [key_dim, value_dim] : {std::pair(4, 4),
                                           {4, 256},
                                           {256, 4},
                                           {12, 16},
                                           {16, 12},
                                           {12, 60},
                                           {64, 128},
                                           {128, 64}}) {
    for (const int tokens : {1, 5, 63, 64, 65, 200, 1000}) {
      if (tokens > 5 && tokens != 64 && key_dim * value_dim > 1024) continue;
      if (tokens == 1000 && key_dim * value_dim > 200) continue;
      SCOPED_TRACE(testing::Message() << key_dim << " x " << value_dim << ", "
                                      << tokens << " tokens");
      const Problem problem(Shape(2, key_dim, value_dim), tokens, tokens % 4);
      ExpectTheDefinition(problem, tokens, 3e-6);
    }
  }
}

TEST_P(TitansForms, StateCarriesAcrossCalls) {
  const Problem problem(Small(), 40);
  Problem whole = problem;
  whole.Run(0, 40);
  for (const int step : {1, 3, 8}) {
    Problem parts = problem;
    for (int t = 0; t < 40; t += step) parts.Run(t, std::min(t + step, 40));
    EXPECT_TRUE(Same(parts.out().values(), whole.out().values())) << step;
    EXPECT_TRUE(Same(parts.states(), whole.states())) << step;
  }
}

TEST_P(TitansForms, OutputMayTakeThePlaceOfValues) {
  Problem apart(Small(), 21), in_place = apart;
  apart.Run(0, 21);
  in_place.Run(0, 21, true);
  const size_t row = 3 * 20;
  for (int t = 0; t < 21; ++t) {
    EXPECT_TRUE(
        Same({in_place.v(t), row}, apart.out().values().subspan(t * row, row)));
  }
  EXPECT_TRUE(in_place.intact());
}

// Forgetting everything and nothing, no momentum and all of it.
TEST_P(TitansForms, HazardousGatesAndKeysAreHarmless) {
  Problem problem(Small(), 64);
  const float alphas[] = {0.0f, 1.0f, 1e-40f, 0.5f};
  const float etas[] = {0.0f, 0.9f, 1e-40f, 0.0f, 1.0f};
  const float thetas[] = {0.0f, 1.0f, 0.5f, 1e-40f, 0.1f, 2.0f, 0.2f};
  for (size_t i = 0; i < problem.alpha().size(); ++i) {
    problem.alpha().data()[i] = alphas[i % 4];
    problem.eta().data()[i] = etas[i % 5];
    problem.theta().data()[i] = thetas[i % 7];
  }
  for (int t = 0; t < 64; ++t) {
    if (t % 5 == 1) std::fill_n(problem.k(t), 36, 0.0f);
    if (t % 5 == 2) std::fill_n(problem.k(t), 36, 1e-40f);
    if (t % 7 == 3) std::fill_n(problem.q(t), 36, -1e-40f);
    if (t % 11 == 4) std::fill_n(problem.v(t), 60, 1e-40f);
  }
  ExpectTheDefinition(problem, 64, 3e-6);
}

TEST_P(TitansForms, DoesNotDrift) {
  constexpr int kTokens = 100'000;
  Problem problem(Shape(1, 8, 4), kTokens);
  for (size_t i = 0; i < problem.alpha().size(); ++i) {
    problem.alpha().data()[i] *= 1e-3f;
    // The gradients of a mini-batch do not know of each other: steps as long as
    // those of single tokens would go too far, in the definition as well.
    problem.theta().data()[i] /= static_cast<float>(GetParam());
  }
  ExpectTheDefinition(problem, kTokens, 1e-4);
}

TEST_P(TitansForms, NoTokensChangeNothing) {
  Problem problem(Small(), 1), before = problem;
  problem.Run(0, 0);
  EXPECT_TRUE(Same(problem.states(), before.states()));
}

INSTANTIATE_TEST_SUITE_P(MiniBatches, TitansForms,
                         testing::Values(1, 2, 7, 16, 64));

// Without momentum or forgetting this is the delta rule.
TEST(TitansRecurrent, WithoutMomentumItIsTheDeltaRule) {
  constexpr TitansShape kSmall = {
      .heads = 3, .key_dim = 12, .value_dim = 20, .mini_batch = 1};
  Problem problem(kSmall, 30);
  std::fill_n(problem.alpha().data(), problem.alpha().size(), 0.0f);
  std::fill_n(problem.eta().data(), problem.eta().size(), 0.0f);
  const LinearRecurrenceShape cell = {.decay = Decay::kNone,
                                      .erase = Erase::kDelta,
                                      .order = KeyHeads::kGrouped,
                                      .heads = kSmall.heads,
                                      .key_heads = kSmall.heads,
                                      .key_dim = kSmall.key_dim,
                                      .value_dim = kSmall.value_dim};
  const TitansArgs args = problem.Args(0);
  std::vector<float> state(args.state,
                           args.state + kSmall.heads * args.state_stride);
  Poisoned out(problem.out().size());
  LinearRecurrenceNaive(30, cell,
                        {.q = args.q,
                         .q_stride = args.q_stride,
                         .k = args.k,
                         .k_stride = args.k_stride,
                         .v = args.v,
                         .v_stride = args.v_stride,
                         .g = nullptr,
                         .beta = args.theta,
                         .state = state.data(),
                         .state_stride = args.state_stride,
                         .out = out.data(),
                         .out_stride = args.out_stride});
  problem.Run(0, 30);
  EXPECT_TRUE(Near(problem.out().values(), out.values(), 2e-6));
}

TEST(TitansMiniBatch, StatesRestWithinOneAndNothingIsPendingAfterIt) {
  const TitansShape shape = {
      .heads = 2, .key_dim = 8, .value_dim = 12, .mini_batch = 16};
  Problem problem(shape, 16), before = problem;
  problem.Run(0, 15);
  EXPECT_TRUE(Same(problem.states(false), before.states(false)));
  EXPECT_FALSE(Same(problem.states(), before.states()));
  problem.Run(15, 16);
  const std::vector<float> rest = problem.states();
  EXPECT_EQ(std::count(rest.begin(), rest.end(), 0.0f),
            2 * (TitansStateFloats(shape) - 2 * 8 * 12))
      << "all but the states of both heads";
}

}  // namespace
}  // namespace fastweights
