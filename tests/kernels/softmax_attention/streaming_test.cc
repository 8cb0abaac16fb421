// SPDX-License-Identifier: MIT
#include <memory>

#include "kernel_test.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {
namespace {

using Kernel = decltype(SoftmaxAttentionNaive);

constexpr KvType kTypes[] = {KvType::kF32, KvType::kBf16, KvType::kInt8};

// Of seven bits are weights that meet int8.
constexpr double kInt8Limit = 8e-3;

// The whole of a call, kBlock rows at a time, last ones first.
template <int kBlock>
void Streaming(int tokens, const SoftmaxAttentionShape& shape,
               const SoftmaxAttentionArgs& args) {
  AppendKeysAndValues(0, tokens, shape, args);
  const int rows = tokens * shape.query_heads / shape.kv_heads;
  for (int head = shape.kv_heads - 1; head >= 0; --head) {
    for (int end = rows; end > 0; end -= kBlock) {
      Poisoned scratch(AttentionScratchFloats(shape), 3);
      SoftmaxAttentionStreaming(shape, args, head, std::max(0, end - kBlock),
                                end, scratch.data());
      EXPECT_TRUE(scratch.intact());
    }
  }
}

// The same run by run, the last ones computed first, and joined kAtOnce runs at
// a time.
template <int kAtOnce>
void Joined(int tokens, const SoftmaxAttentionShape& shape,
            const SoftmaxAttentionArgs& args) {
  AppendKeysAndValues(0, tokens, shape, args);
  const int rows = tokens * shape.query_heads / shape.kv_heads;
  const int runs = (args.position + tokens - 1) / kRunTokens + 1;
  const int width = RunSumFloats(shape), stride = rows * width;
  for (int head = 0; head < shape.kv_heads; ++head) {
    Poisoned sums(static_cast<size_t>(runs) * stride), so_far(stride);
    Poisoned scratch(AttentionScratchFloats(shape));
    for (int run = runs - 1; run >= 0; --run) {
      for (int from = 0; from < rows; from += kAttentionRows) {
        SoftmaxAttentionRun(
            shape, args, head, from, std::min(from + kAttentionRows, rows), run,
            sums.data() + run * stride + from * width, scratch.data());
      }
    }
    for (int row = 0; row < rows; ++row) {
      for (int run = 0; run < runs; run += kAtOnce) {
        SoftmaxAttentionJoin(shape, args, head, row, run,
                             std::min(run + kAtOnce, runs),
                             sums.data() + run * stride + row * width, stride,
                             so_far.data() + row * width);
      }
    }
    EXPECT_TRUE(sums.intact() && so_far.intact() && scratch.intact());
  }
}

// A text of `tokens` random queries, keys and values with its own cache, whose
// layer's part of a page begins `offset` floats in.
class Problem {
 public:
  Problem(const SoftmaxAttentionShape& shape, int tokens, int offset = 0,
          double size = 1.0)
      : shape_(shape),
        tokens_(tokens),
        offset_(offset),
        stride_(shape.query_heads * HeadStride() + 5),
        out_(static_cast<size_t>(tokens) * shape.query_heads * shape.value_dim,
             offset % 4) {
    Random random(tokens * 31 + shape.key_dim);
    q_ = random.Normals(static_cast<size_t>(tokens) * stride_, size);
    k_ = random.Normals(static_cast<size_t>(tokens) * KeyChannels());
    v_ = random.Normals(static_cast<size_t>(tokens) * ValueChannels());
    const int page_count = (tokens + kPageTokens - 1) / kPageTokens;
    for (int page = 0; page < page_count; ++page) {
      pages_.emplace_back(static_cast<size_t>(KvPageFloats(shape)), offset);
    }
  }

  // The same with keys and values kept so.
  Problem Kept(KvType type) const {
    Problem other = *this;
    other.shape_.kv_type = type;
    other.pages_.assign(
        pages_.size(),
        Poisoned(static_cast<size_t>(KvPageFloats(other.shape_)), offset_));
    return other;
  }

  std::vector<float>& q() { return q_; }
  std::vector<float>& k() { return k_; }
  std::vector<float>& v() { return v_; }
  std::span<const float> out() const { return out_.values(); }

  void Run(Kernel& kernel, int from, int to) {
    // The kernel adds the offset itself.
    std::vector<float*> pages;
    for (Poisoned& page : pages_) pages.push_back(page.data() - offset_);
    kernel(to - from, shape_,
           {.q = q_.data() + from * stride_,
            .q_stride = stride_,
            .q_head_stride = HeadStride(),
            .k = k_.data() + from * KeyChannels(),
            .v = v_.data() + from * ValueChannels(),
            .cache = {.pages = pages.data(), .offset = offset_},
            .position = from,
            .out = out_.data() + from * shape_.query_heads * shape_.value_dim});
  }
  void Run(Kernel& kernel) { Run(kernel, 0, tokens_); }

  bool intact() const {
    for (const Poisoned& page : pages_) {
      if (!page.intact()) return false;
    }
    return out_.intact();
  }

 private:
  // Beside a query lies its gate, or something else.
  int HeadStride() const { return shape_.key_dim + 3; }
  int KeyChannels() const { return shape_.kv_heads * shape_.key_dim; }
  int ValueChannels() const { return shape_.kv_heads * shape_.value_dim; }

  SoftmaxAttentionShape shape_;
  int tokens_;
  int offset_;
  int stride_;
  std::vector<float> q_, k_, v_;
  std::vector<Poisoned> pages_;
  Poisoned out_;
};

void ExpectTheDefinition(const Problem& problem, double limit) {
  for (const KvType type : kTypes) {
    SCOPED_TRACE(static_cast<int>(type));
    Problem fast = problem.Kept(type), slow = fast;
    fast.Run(Streaming<kAttentionRows>);
    slow.Run(SoftmaxAttentionNaive);
    EXPECT_TRUE(Near(fast.out(), slow.out(),
                     type == KvType::kInt8 ? kInt8Limit : limit));
    EXPECT_TRUE(fast.intact());
  }
}

SoftmaxAttentionShape Shape(int query_heads, int kv_heads, int key_dim,
                            int value_dim) {
  return {.query_heads = query_heads,
          .kv_heads = kv_heads,
          .key_dim = key_dim,
          .value_dim = value_dim,
          .scale = 1.0f / std::sqrt(static_cast<float>(key_dim))};
}

// Two queries against two keys, worked out by hand.
TEST(SoftmaxAttentionNaive, WeighsValuesByTheSoftmaxOfTheScores) {
  SoftmaxAttentionShape shape = Shape(1, 1, 4, 4);
  shape.scale = 2.0f;
  Problem problem(shape, 2);
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
        ExpectTheDefinition(Problem(shape, tokens, offset), 1e-6);
      }
    }
  }
  ExpectTheDefinition(Problem(Shape(2, 1, 256, 256), 66), 1e-6);
}

TEST(SoftmaxAttentionStreaming, WindowsEqualTheDefinition) {
  for (const int window : {1, 2, 24, 63, 64, 65, 100, 500}) {
    SoftmaxAttentionShape shape = Shape(4, 2, 12, 20);
    shape.window = window;
    for (const int tokens : {1, 5, 64, 130, 200}) {
      SCOPED_TRACE(testing::Message() << window << " of " << tokens);
      const Problem problem(shape, tokens, 3);
      ExpectTheDefinition(problem, 1e-6);
      Problem whole = problem, ones = problem, parts = problem;
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
  Problem all(shape, 130);
  shape.window = 130;
  Problem wide(shape, 130);
  all.Run(Streaming<kAttentionRows>);
  wide.Run(Streaming<kAttentionRows>);
  EXPECT_TRUE(Same(wide.out(), all.out()));
}

// Every query goes through the cache alone, so not even rounding may differ.
TEST(SoftmaxAttentionStreaming, CacheCarriesAcrossCalls) {
  constexpr int kTokens = 130;
  for (const KvType type : kTypes) {
    const Problem problem = Problem(Shape(4, 2, 12, 20), kTokens, 3).Kept(type);
    Problem whole = problem;
    whole.Run(Streaming<kAttentionRows>);
    for (const int step : {1, 3, 63, 64, 65, 129}) {
      Problem parts = problem;
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
      const Problem problem = Problem(shape, kTokens, 5).Kept(type);
      Problem whole = problem, slow = problem, runs = problem, late = problem;
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
      const Problem problem = Problem(shape, kTokens).Kept(type);
      Problem whole = problem, ones = problem, fives = problem;
      whole.Run(Streaming<kAttentionRows>);
      ones.Run(Streaming<1>);
      fives.Run(Streaming<5>);
      EXPECT_TRUE(Same(ones.out(), whole.out()));
      EXPECT_TRUE(Same(fives.out(), whole.out()));
    }
  }
}

// From scores that hardly differ to those of which one of 64 takes nearly all.
TEST(SoftmaxAttentionStreaming,
     RoundingLosesLessThanInt8KeysAndValuesHaveLost) {
  for (const double spread : {0.3, 1.0, 2.0, 4.0, 8.0}) {
    Problem floats(Shape(4, 1, 128, 128), 400, 0, spread);
    Problem fast = floats.Kept(KvType::kInt8), kept = fast;
    floats.Run(SoftmaxAttentionNaive);
    kept.Run(SoftmaxAttentionNaive);
    fast.Run(Streaming<kAttentionRows>);
    EXPECT_LT(RelativeRms(fast.out(), kept.out()),
              RelativeRms(kept.out(), floats.out()))
        << spread;
  }
}

TEST(SoftmaxAttentionStreaming, ScoresUpToNinetyAreHarmless) {
  constexpr int kTokens = 130;
  Problem problem(Shape(2, 1, 16, 16), kTokens, 0, 30.0);
  problem.Run(SoftmaxAttentionNaive);
  ExpectTheDefinition(problem, 2e-6);

  // Alternating signs: the best score so far is met on every page anew.
  SoftmaxAttentionShape shape = Shape(1, 1, 4, 4);
  shape.scale = 1.0f;
  Problem swings(shape, kTokens);
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
  Problem problem(Shape(1, 1, 4, 4), kTokens);
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
  Problem problem(Shape(4, 2, 12, 20), kTokens), changed = problem;
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
