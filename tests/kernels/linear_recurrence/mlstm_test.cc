// SPDX-License-Identifier: MIT

// The stabilised gates of mLSTM.

#include "kernel_test.h"
#include "kernels/linear_recurrence/normaliser.h"

namespace fastweights {
namespace {

constexpr int kHeads = 3;
constexpr int kKeyDim = 12;
constexpr int kKeys = kHeads * kKeyDim;

constexpr LinearRecurrenceShape kShape = {.decay = Decay::kPerHead,
                                          .erase = Erase::kNone,
                                          .order = KeyHeads::kGrouped,
                                          .heads = kHeads,
                                          .key_heads = kHeads,
                                          .key_dim = kKeyDim,
                                          .value_dim = 4};

struct Problem {
  Problem(int tokens, double range, size_t offset = 0)
      : random(tokens),
        i(random.Uniforms(tokens * kHeads, -range, range), offset),
        f(random.Uniforms(tokens * kHeads, -range, range), offset),
        k(random.Uniforms(tokens * kKeys, -1.0, 1.0), offset),
        m(random.Uniforms(kHeads, -1.0, 1.0), offset) {}

  MlstmGates Gates(int from) {
    return {.i = i.data() + from * kHeads,
            .f = f.data() + from * kHeads,
            .k = k.data() + from * kKeys,
            .k_stride = kKeys,
            .m = m.data()};
  }
  void Run(int from, int to) {
    for (int h = kHeads - 1; h >= 0; --h) {
      StabiliseMlstm(to - from, kShape, Gates(from), h);
    }
  }

  Random random;
  Poisoned i, f, k, m;
};

void ExpectTheDefinition(const Problem& problem, int tokens, double limit) {
  Problem fast = problem, slow = problem;
  fast.Run(0, tokens);
  StabiliseMlstmNaive(tokens, kShape, slow.Gates(0));
  EXPECT_TRUE(Near(fast.i.values(), slow.i.values(), limit));
  EXPECT_TRUE(Near(fast.f.values(), slow.f.values(), limit));
  EXPECT_TRUE(Near(fast.k.values(), slow.k.values(), limit));
  EXPECT_TRUE(Near(fast.m.values(), slow.m.values(), limit));
  EXPECT_TRUE(fast.i.intact() && fast.f.intact() && fast.k.intact() &&
              fast.m.intact());
}

TEST(StabiliseMlstm, EqualsTheDefinition) {
  for (const int tokens : {1, 5, 63, 64, 65, 200, 1000}) {
    SCOPED_TRACE(tokens);
    ExpectTheDefinition(Problem(tokens, 4.0, tokens % 2), tokens, 2e-6);
  }
}

TEST(StabiliseMlstm, StateCarriesAcrossCalls) {
  Problem whole(37, 4.0), parts = whole;
  whole.Run(0, 37);
  for (int t = 0; t < 37; t += 5) parts.Run(t, std::min(t + 5, 37));
  EXPECT_TRUE(Same(parts.i.values(), whole.i.values()));
  EXPECT_TRUE(Same(parts.f.values(), whole.f.values()));
  EXPECT_TRUE(Same(parts.k.values(), whole.k.values()));
  EXPECT_TRUE(Same(parts.m.values(), whole.m.values()));
}

// No exponent is ever above zero but the floor's, however large the gates.
TEST(StabiliseMlstm, LargeGatesNeitherOverflowNorGiveNan) {
  constexpr int kTokens = 64;
  Problem problem(kTokens, 4.0);
  const float gates[] = {0.0f, 1e4f, -1e4f, 80.0f, -80.0f, -1e-30f, 1e-40f};
  for (int t = 0; t < kTokens * kHeads; ++t) {
    problem.i.data()[t] = gates[t % 7];
    problem.f.data()[t] = gates[t / 3 % 7];
  }
  const Problem before = problem;
  problem.Run(0, kTokens);
  for (const float g : problem.f.values()) EXPECT_LE(g, 0.0f);
  for (const float floor : problem.i.values()) EXPECT_GE(floor, 0.0f);
  for (size_t c = 0; c < problem.k.size(); ++c) {
    EXPECT_LE(std::abs(problem.k.data()[c]), std::abs(before.k.values()[c]));
  }
  Problem slow = before;
  StabiliseMlstmNaive(kTokens, kShape, slow.Gates(0));
  EXPECT_TRUE(Near(problem.f.values(), slow.f.values(), 2e-6));
  EXPECT_TRUE(Near(problem.k.values(), slow.k.values(), 2e-6));
}

}  // namespace
}  // namespace fastweights
