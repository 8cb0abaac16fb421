// SPDX-License-Identifier: MIT
#pragma once

// A text that attention reads, and ways to run it over one.

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "kernel_test.h"
#include "kernels/softmax_attention/softmax_attention.h"

namespace fastweights {

using Kernel = decltype(SoftmaxAttentionNaive);

inline constexpr KvType kTypes[] = {KvType::kF32, KvType::kBf16, KvType::kInt8};

// Of seven bits are weights that meet int8.
inline constexpr double kInt8Limit = 8e-3;

// The whole of a call, kBlock rows at a time, last ones first.
template <int kBlock>
void Streaming(int tokens, const SoftmaxAttentionShape& shape,
               const SoftmaxAttentionArgs& args) {
  AppendKeysAndValues(0, tokens, shape, args);
  const int rows = tokens * shape.query_heads / shape.kv_heads;
  for (int head = shape.kv_heads - 1; head >= 0; --head) {
    for (int end = rows; end > 0; end -= kBlock) {
      Poisoned scratch(AttentionScratchFloats(shape), 3);
      SoftmaxAttentionStreaming(
          shape, args, {head, head + 1, std::max(0, end - kBlock), end},
          scratch.data());
      EXPECT_TRUE(scratch.intact());
    }
  }
}

// The same, kHeads key/value heads at a time.
template <int kHeads>
void Together(int tokens, const SoftmaxAttentionShape& shape,
              const SoftmaxAttentionArgs& args) {
  AppendKeysAndValues(0, tokens, shape, args);
  const int rows = tokens * shape.query_heads / shape.kv_heads;
  const int block = kAttentionRows / kHeads;
  for (int head = 0; head < shape.kv_heads; head += kHeads) {
    for (int first = 0; first < rows; first += block) {
      Poisoned scratch(AttentionScratchFloats(shape), 3);
      SoftmaxAttentionStreaming(shape, args,
                                {head, std::min(head + kHeads, shape.kv_heads),
                                 first, std::min(first + block, rows)},
                                scratch.data());
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
            shape, args,
            {head, head + 1, from, std::min(from + kAttentionRows, rows)}, run,
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
class AttentionProblem {
 public:
  AttentionProblem(const SoftmaxAttentionShape& shape, int tokens,
                   int offset = 0, double size = 1.0)
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
  AttentionProblem Kept(KvType type) const {
    AttentionProblem other = *this;
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

inline void ExpectTheDefinition(const AttentionProblem& problem, double limit) {
  for (const KvType type : kTypes) {
    SCOPED_TRACE(static_cast<int>(type));
    AttentionProblem fast = problem.Kept(type), slow = fast;
    fast.Run(Streaming<kAttentionRows>);
    slow.Run(SoftmaxAttentionNaive);
    EXPECT_TRUE(Near(fast.out(), slow.out(),
                     type == KvType::kInt8 ? kInt8Limit : limit));
    EXPECT_TRUE(fast.intact());
  }
}

inline SoftmaxAttentionShape Shape(int query_heads, int kv_heads, int key_dim,
                                   int value_dim) {
  return {.query_heads = query_heads,
          .kv_heads = kv_heads,
          .key_dim = key_dim,
          .value_dim = value_dim,
          .scale = 1.0f / std::sqrt(static_cast<float>(key_dim))};
}

}  // namespace fastweights
