// SPDX-License-Identifier: MIT
#include "kernels/softmax_attention/attention_problem.h"

namespace fastweights {
namespace {

// Weights of a page share a largest one, those of sixteen positions a scale:
// neither tiny weights nor values of sizes far apart may cost the others.
TEST(SoftmaxAttentionStreaming, Int8ValuesOfAllSizesKeepTheirPart) {
  const SoftmaxAttentionShape shape = Shape(4, 1, 16, 20);
  for (const int tokens : {1, 15, 16, 17, 63, 64, 65, 81, 127}) {
    for (const double size : {0.0, 1e-38, 1e-30, 1e-3, 1.0, 1e30}) {
      SCOPED_TRACE(testing::Message() << tokens << " tokens, " << size);
      AttentionProblem kept =
          AttentionProblem(shape, tokens).Kept(KvType::kInt8);
      // Every third token's values are of another size, every fifth's nothing.
      for (size_t i = 0; i < kept.v().size(); ++i) {
        const size_t token = i / 20;
        if (token % 3 == 1) kept.v()[i] *= static_cast<float>(size);
        if (token % 5 == 2) kept.v()[i] = 0.0f;
      }
      AttentionProblem fast = kept;
      fast.Run(Streaming<kAttentionRows>);
      kept.Run(SoftmaxAttentionNaive);
      EXPECT_TRUE(Near(fast.out(), kept.out(), kInt8Limit));
      EXPECT_TRUE(fast.intact());
    }
  }
}

// Whoever sees a value that is not finite has none, others theirs; and what
// lies past the end of a page may be anything.
TEST(SoftmaxAttentionStreaming,
     Int8ValuesThatAreNotFiniteReachThoseWhoSeeThem) {
  constexpr int kTokens = 40, kBad = 21;
  const SoftmaxAttentionShape shape = Shape(2, 1, 8, 12);
  for (const float bad : {NAN, INFINITY}) {
    const AttentionProblem good =
        AttentionProblem(shape, kTokens).Kept(KvType::kInt8);
    AttentionProblem whole = good, broken = good;
    broken.v()[kBad * 12 + 5] = bad;
    whole.Run(Streaming<kAttentionRows>);
    broken.Run(Streaming<kAttentionRows>);
    constexpr size_t kBefore = kBad * 2 * 12;
    EXPECT_TRUE(Same(broken.out().first(kBefore), whole.out().first(kBefore)));
    for (const float x : broken.out().subspan(kBefore)) {
      EXPECT_TRUE(std::isnan(x));
    }
  }
}

// From scores that hardly differ to those of which one of 64 takes nearly all.
TEST(SoftmaxAttentionStreaming,
     RoundingLosesLessThanInt8KeysAndValuesHaveLost) {
  for (const double spread : {0.3, 1.0, 2.0, 4.0, 8.0}) {
    AttentionProblem floats(Shape(4, 1, 128, 128), 400, 0, spread);
    AttentionProblem fast = floats.Kept(KvType::kInt8), kept = fast;
    floats.Run(SoftmaxAttentionNaive);
    kept.Run(SoftmaxAttentionNaive);
    fast.Run(Streaming<kAttentionRows>);
    EXPECT_LT(RelativeRms(fast.out(), kept.out()),
              RelativeRms(kept.out(), floats.out()))
        << spread;
  }
}

}  // namespace
}  // namespace fastweights
