// SPDX-License-Identifier: MIT
#include "kernels/softmax_attention/attention_problem.h"

namespace fastweights {
namespace {

// Two queries against two keys, worked out by hand.
TEST(SoftmaxAttentionNaive, WeighsValuesByTheSoftmaxOfTheScores) {
  SoftmaxAttentionShape shape = Shape(1, 1, 4, 4);
  shape.scale = 2.0f;
  AttentionProblem problem(shape, 2);
  problem.q() = {1, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9,
                 1, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9};
  problem.k() = {9, 9, 9, 9, 0.5f * std::log(3.0f), 0, 0, 0};
  problem.k()[0] = 0;
  problem.v() = {1, 2, 3, 4, 5, 6, 7, 8};
  problem.Run(SoftmaxAttentionNaive);
  // Scores of token 1: 0 and log 3; so weights 1/4 and 3/4.
  const std::vector<float> expected = {1, 2, 3, 4, 4, 5, 6, 7};
  EXPECT_TRUE(Near(problem.out(), expected, 1e-7));
}

TEST(SoftmaxAttentionStreaming, EqualsTheDefinition) {
  const SoftmaxAttentionShape shapes[] = {
      Shape(1, 1, 4, 4), Shape(4, 2, 12, 20), Shape(6, 1, 64, 64),
      Shape(3, 3, 60, 16), Shape(8, 2, 16, 128)};
  for (const SoftmaxAttentionShape& shape : shapes) {
    for (const int tokens : {1, 2, 5, 63, 64, 65, 130}) {
      for (const int offset : {0, 64, 77}) {
        SCOPED_TRACE(testing::Message()
                     << shape.query_heads << " heads of " << shape.key_dim
                     << ", " << tokens << " tokens, offset " << offset);
        ExpectTheDefinition(AttentionProblem(shape, tokens, offset), 1e-6);
      }
    }
  }
  ExpectTheDefinition(AttentionProblem(Shape(2, 1, 256, 256), 66), 1e-6);
}

TEST(SoftmaxAttentionStreaming, WindowsEqualTheDefinition) {
  for (const int window : {1, 2, 24, 63, 64, 65, 100, 500}) {
    SoftmaxAttentionShape shape = Shape(4, 2, 12, 20);
    shape.window = window;
    for (const int tokens : {1, 5, 64, 130, 200}) {
      SCOPED_TRACE(testing::Message() << window << " of " << tokens);
      const AttentionProblem problem(shape, tokens, 3);
      ExpectTheDefinition(problem, 1e-6);
      AttentionProblem whole = problem, ones = problem, parts = problem;
      whole.Run(Streaming<kAttentionRows>);
      ones.Run(Streaming<1>);
      EXPECT_TRUE(Same(ones.out(), whole.out()));
      for (int t = 0; t < tokens; t += 7) {
        parts.Run(Streaming<5>, t, std::min(t + 7, tokens));
      }
      EXPECT_TRUE(Same(parts.out(), whole.out()));
      EXPECT_TRUE(whole.intact());
    }
  }
}

TEST(SoftmaxAttentionStreaming, WindowsAsWideAsTheTextChangeNoBit) {
  SoftmaxAttentionShape shape = Shape(4, 2, 12, 20);
  AttentionProblem all(shape, 130);
  shape.window = 130;
  AttentionProblem wide(shape, 130);
  all.Run(Streaming<kAttentionRows>);
  wide.Run(Streaming<kAttentionRows>);
  EXPECT_TRUE(Same(wide.out(), all.out()));
}

// Every query goes through the cache alone, so not even rounding may differ.
TEST(SoftmaxAttentionStreaming, CacheCarriesAcrossCalls) {
  constexpr int kTokens = 130;
  for (const KvType type : kTypes) {
    const AttentionProblem problem =
        AttentionProblem(Shape(4, 2, 12, 20), kTokens, 3).Kept(type);
    AttentionProblem whole = problem;
    whole.Run(Streaming<kAttentionRows>);
    for (const int step : {1, 3, 63, 64, 65, 129}) {
      AttentionProblem parts = problem;
      for (int t = 0; t < kTokens; t += step) {
        parts.Run(Streaming<kAttentionRows>, t, std::min(t + step, kTokens));
      }
      EXPECT_TRUE(Same(parts.out(), whole.out())) << step;
      EXPECT_TRUE(parts.intact()) << step;
    }
  }
}

// Whoever takes which runs of a row, in whatever order and calls.
TEST(SoftmaxAttentionStreaming, RunsJoinToTheSameBits) {
  constexpr int kTokens = 2 * kRunTokens + 70;
  for (const int window : {0, 1, kRunTokens - 20, kRunTokens + 100}) {
    for (const KvType type : kTypes) {
      SCOPED_TRACE(testing::Message() << window << ", " << int(type));
      SoftmaxAttentionShape shape = Shape(3, 1, 8, 12);
      shape.window = window;
      const AttentionProblem problem =
          AttentionProblem(shape, kTokens, 5).Kept(type);
      AttentionProblem whole = problem, slow = problem, runs = problem,
                       late = problem;
      whole.Run(Streaming<kAttentionRows>);
      slow.Run(SoftmaxAttentionNaive);
      EXPECT_TRUE(Near(whole.out(), slow.out(),
                       type == KvType::kInt8 ? kInt8Limit : 1e-6));
      runs.Run(Joined<1>);
      EXPECT_TRUE(Same(runs.out(), whole.out()));
      // A text that goes on in the middle of a run, one token at a time.
      late.Run(Joined<2>, 0, kTokens - 5);
      for (int t = kTokens - 5; t < kTokens; ++t) {
        t % 2 ? late.Run(Joined<2>, t, t + 1)
              : late.Run(Streaming<2>, t, t + 1);
      }
      EXPECT_TRUE(Same(late.out(), whole.out()));
      EXPECT_TRUE(late.intact());
    }
  }
}

// Nor does it matter which other rows go through a page with it.
TEST(SoftmaxAttentionStreaming, RowsDoNotDependOnTheirBlock) {
  constexpr int kTokens = 67;
  for (const SoftmaxAttentionShape& shape :
       {Shape(4, 2, 12, 20), Shape(3, 1, 16, 12), Shape(2, 2, 4, 4)}) {
    for (const KvType type : kTypes) {
      const AttentionProblem problem =
          AttentionProblem(shape, kTokens).Kept(type);
      AttentionProblem whole = problem, ones = problem, fives = problem;
      whole.Run(Streaming<kAttentionRows>);
      ones.Run(Streaming<1>);
      fives.Run(Streaming<5>);
      EXPECT_TRUE(Same(ones.out(), whole.out()));
      EXPECT_TRUE(Same(fives.out(), whole.out()));
    }
  }
}

TEST(SoftmaxAttentionStreaming, ScoresUpToNinetyAreHarmless) {
  constexpr int kTokens = 130;
  AttentionProblem problem(Shape(2, 1, 16, 16), kTokens, 0, 30.0);
  problem.Run(SoftmaxAttentionNaive);
  ExpectTheDefinition(problem, 2e-6);

  // Alternating signs: the best score so far is met on every page anew.
  SoftmaxAttentionShape shape = Shape(1, 1, 4, 4);
  shape.scale = 1.0f;
  AttentionProblem swings(shape, kTokens);
  for (int t = 0; t < kTokens; ++t) {
    for (int i = 0; i < 4; ++i) {
      swings.k()[4 * t + i] = (t % 2 ? 22.5f : -22.5f) * (t + 1) / kTokens;
    }
  }
  std::fill(swings.q().begin(), swings.q().end(), 1.0f);
  ExpectTheDefinition(swings, 2e-6);
  std::fill(swings.q().begin(), swings.q().end(), -1.0f);
  ExpectTheDefinition(swings, 2e-6);
}

TEST(SoftmaxAttentionStreaming, EqualScoresGiveTheMean) {
  constexpr int kTokens = 130;
  AttentionProblem problem(Shape(1, 1, 4, 4), kTokens);
  std::fill(problem.k().begin(), problem.k().end(), 0.0f);
  problem.Run(Streaming<kAttentionRows>);
  std::vector<double> mean(4, 0.0);
  for (size_t i = 0; i < problem.v().size(); ++i) {
    mean[i % 4] += problem.v()[i] / double{kTokens};
  }
  EXPECT_TRUE(Near(problem.out().last(4), mean, 1e-6));
}

TEST(SoftmaxAttentionStreaming, LaterTokensDoNotReachEarlierOutputs) {
  constexpr int kTokens = 70;
  constexpr size_t kBefore = 65 * 4 * 20;
  AttentionProblem problem(Shape(4, 2, 12, 20), kTokens), changed = problem;
  for (size_t i = 65 * 24; i < changed.k().size(); ++i) {
    changed.k()[i] = 50.0f;
  }
  for (size_t i = 65 * 40; i < changed.v().size(); ++i) {
    changed.v()[i] = NAN;
  }
  problem.Run(Streaming<kAttentionRows>);
  changed.Run(Streaming<kAttentionRows>);
  EXPECT_TRUE(Same(changed.out().first(kBefore), problem.out().first(kBefore)));
}

}  // namespace
}  // namespace fastweights
