// SPDX-License-Identifier: MIT
#include "kernels/softmax_attention/attention_problem.h"

namespace fastweights {
namespace {

// A row does not depend on the other heads that go over a page with it.
TEST(SoftmaxAttentionStreaming, HeadsDoNotDependOnEachOther) {
  constexpr int kTokens = kRunTokens + 3;
  SoftmaxAttentionShape windowed = Shape(6, 3, 8, 12);
  windowed.window = 100;
  for (const SoftmaxAttentionShape& shape :
       {Shape(6, 3, 8, 12), Shape(5, 5, 12, 20), windowed}) {
    for (const KvType type : kTypes) {
      const AttentionProblem problem =
          AttentionProblem(shape, kTokens, 3).Kept(type);
      AttentionProblem apart = problem, two = problem, all = problem,
                       late = problem;
      apart.Run(Streaming<kAttentionRows>);
      two.Run(Together<2>);
      EXPECT_TRUE(Same(two.out(), apart.out()));
      all.Run(Together<5>);
      EXPECT_TRUE(Same(all.out(), apart.out()));
      late.Run(Together<2>, 0, kTokens - 5);
      for (int t = kTokens - 5; t < kTokens; ++t)
        late.Run(Together<5>, t, t + 1);
      EXPECT_TRUE(Same(late.out(), apart.out()));
      EXPECT_TRUE(all.intact() && late.intact());
    }
  }
}

// The same runs of all heads as of each.
TEST(SoftmaxAttentionRun, HasTheSumsOfSeveralHeads) {
  constexpr int kTokens = 70, kHeads = 3, kRows = 4;
  for (const KvType type : kTypes) {
    SoftmaxAttentionShape shape = Shape(kHeads * 2, kHeads, 8, 12);
    shape.kv_type = type;
    const auto runs = [](int tokens, const SoftmaxAttentionShape& shape,
                         const SoftmaxAttentionArgs& args) {
      if (tokens > 2) return Streaming<kAttentionRows>(tokens, shape, args);
      AppendKeysAndValues(0, tokens, shape, args);
      const int width = RunSumFloats(shape);
      Poisoned together(kHeads * kRows * width), one(kRows * width);
      Poisoned scratch(AttentionScratchFloats(shape));
      SoftmaxAttentionRun(shape, args, {0, kHeads, 0, kRows}, 0,
                          together.data(), scratch.data());
      for (int head = 0; head < kHeads; ++head) {
        SoftmaxAttentionRun(shape, args, {head, head + 1, 0, kRows}, 0,
                            one.data(), scratch.data());
        for (int r = 0; r < kRows; ++r) {
          // The last two floats of each are nobody's.
          const float* a = one.data() + r * width;
          const float* b = together.data() + (head * kRows + r) * width;
          for (int i = 0; i < width - 2; ++i) EXPECT_EQ(a[i], b[i]) << head;
        }
      }
      EXPECT_TRUE(together.intact() && one.intact());
    };
    AttentionProblem problem = AttentionProblem(shape, kTokens).Kept(type);
    problem.Run(Streaming<kAttentionRows>, 0, kTokens - 2);
    Kernel* last = runs;
    problem.Run(*last, kTokens - 2, kTokens);
  }
}

}  // namespace
}  // namespace fastweights
