// SPDX-License-Identifier: MIT
#pragma once

#include "kernel_test.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/linear_recurrence/trace.h"

namespace fastweights {

// The inputs of a call as a layer has them: q, k and v of a token side by side
// with something else in between, all of it NaN but what may be read.
class Problem {
 public:
  // offset: floats by which every array is misaligned.
  Problem(const LinearRecurrenceShape& shape, int tokens, size_t offset = 0)
      : shape_(shape),
        tokens_(tokens),
        stride_(2 * KeyChannels() + ValueChannels() + 3 * kGap),
        random_(Seed(shape, tokens)),
        qkv_(static_cast<size_t>(tokens) * stride_, offset),
        pb_(static_cast<size_t>(tokens) * ErasureStride(), offset),
        bonus_(static_cast<size_t>(shape.heads) * shape.key_dim, offset),
        g_(GateCount(), offset),
        beta_(static_cast<size_t>(tokens) * shape.heads, offset),
        state_(StateCount(), offset),
        trace_(static_cast<size_t>(shape.heads) * RecurrenceTraceFloats(shape),
               offset),
        out_(static_cast<size_t>(tokens) * ValueChannels(), offset) {
    for (int t = 0; t < tokens; ++t) {
      for (int h = 0; h < shape.key_heads; ++h) {
        Unit(q(t, h));
        Unit(k(t, h));
        Erasure(t, h);
      }
      Fill(v(t, 0), ValueChannels(), -2.0, 2.0);
    }
    Fill(bonus_.data(), bonus_.size(), -1.0, 1.0);
    Fill(g_.data(), g_.size(), -0.5, 0.0);
    Fill(beta_.data(), beta_.size(), 0.05, 1.0);
    for (int h = 0; h < shape.heads; ++h) {
      Fill(state(h), static_cast<size_t>(shape.key_dim) * shape.value_dim, -0.5,
           0.5);
    }
  }

  float* q(int token, int head) {
    return qkv_.data() + token * stride_ + head * shape_.key_dim;
  }
  float* k(int token, int head) {
    return q(token, head) + KeyChannels() + kGap;
  }
  float* v(int token, int head) {
    return q(token, 0) + 2 * (KeyChannels() + kGap) + head * shape_.value_dim;
  }
  float* p(int token, int head) {
    return pb_.data() + token * ErasureStride() + head * shape_.key_dim;
  }
  float* b(int token, int head) {
    return p(token, head) + KeyChannels() + kGap;
  }
  Poisoned& g() { return g_; }
  Poisoned& beta() { return beta_; }
  float* state(int head) {
    return state_.data() + head * ChunkStateFloats(shape_);
  }
  // Of all heads, without what lies between them.
  std::vector<float> states() {
    const size_t count = static_cast<size_t>(shape_.key_dim) * shape_.value_dim;
    std::vector<float> all;
    for (int h = 0; h < shape_.heads; ++h) {
      all.insert(all.end(), state(h), state(h) + count);
    }
    return all;
  }
  // What the chunk form left of the last token of its call.
  RecurrenceTrace trace(int head) {
    return {shape_, trace_.data() + head * RecurrenceTraceFloats(shape_)};
  }
  // Their memory, with what is pending.
  std::span<const float> memory() const { return state_.values(); }
  void ForgetAll() { std::fill_n(state_.data(), state_.size(), 0.0f); }
  Poisoned& out() { return out_; }
  bool intact() const {
    return qkv_.intact() && pb_.intact() && bonus_.intact() && g_.intact() &&
           beta_.intact() && state_.intact() && trace_.intact() &&
           out_.intact();
  }

  using Kernel = void(int position, int tokens,
                      const LinearRecurrenceShape& shape,
                      const LinearRecurrenceArgs& args);
  // Runs tokens [from, to).
  void Run(Kernel& kernel, int from, int to, bool in_place = false) {
    const int gates = shape_.heads *
                      (shape_.decay == Decay::kPerChannel ? shape_.key_dim : 1);
    kernel(
        from, to - from, shape_,
        {.q = q(from, 0),
         .q_stride = stride_,
         .k = k(from, 0),
         .k_stride = stride_,
         .v = v(from, 0),
         .v_stride = stride_,
         .g = shape_.decay == Decay::kNone ? nullptr : g_.data() + from * gates,
         .beta = shape_.erase == Erase::kDelta
                     ? beta_.data() + from * shape_.heads
                     : nullptr,
         .p = HasErasureKey() ? p(from, 0) : nullptr,
         .p_stride = ErasureStride(),
         .b = shape_.erase == Erase::kLowRank ? b(from, 0) : nullptr,
         .b_stride = ErasureStride(),
         .bonus = shape_.read == Read::kBeforeWrite ? bonus_.data() : nullptr,
         .state = state_.data(),
         .state_stride = ChunkStateFloats(shape_),
         .trace = trace_.data(),
         .out = in_place ? v(from, 0) : out_.data() + from * ValueChannels(),
         .out_stride = in_place ? stride_ : ValueChannels()});
  }
  void Run(Kernel& kernel) { Run(kernel, 0, tokens_); }
  void RunInPlace(Kernel& kernel) { Run(kernel, 0, tokens_, true); }

 private:
  static constexpr int kGap = 3;

  static uint64_t Seed(const LinearRecurrenceShape& s, int tokens) {
    return ((tokens * 257u + s.key_dim) * 257u + s.value_dim) * 12 +
           static_cast<int>(s.decay) * 4 + static_cast<int>(s.erase);
  }
  int KeyChannels() const { return shape_.key_heads * shape_.key_dim; }
  int ValueChannels() const { return shape_.heads * shape_.value_dim; }
  int ErasureStride() const { return 2 * (KeyChannels() + kGap); }
  bool HasErasureKey() const {
    return shape_.erase == Erase::kKey || shape_.erase == Erase::kLowRank;
  }
  size_t StateCount() const {
    return static_cast<size_t>(shape_.heads) * ChunkStateFloats(shape_);
  }
  size_t GateCount() const {
    return static_cast<size_t>(tokens_) * shape_.heads *
           (shape_.decay == Decay::kPerChannel ? shape_.key_dim : 1);
  }
  void Fill(float* to, size_t count, double low, double high) {
    const std::vector<float> values = random_.Uniforms(count, low, high);
    std::copy(values.begin(), values.end(), to);
  }
  // Of length one, as the delta rule needs its keys to be stable.
  void Unit(float* to) {
    Fill(to, shape_.key_dim, -1.0, 1.0);
    double norm = 0.0;
    for (int i = 0; i < shape_.key_dim; ++i) norm += double{to[i]} * to[i];
    for (int i = 0; i < shape_.key_dim; ++i) {
      to[i] = static_cast<float>(to[i] / std::sqrt(norm));
    }
  }

  // As models have them, or the state would grow: a key of its own is part of
  // k, and of low rank is what is erased part of what was recalled.
  void Erasure(int token, int head) {
    if (shape_.erase == Erase::kLowRank) Unit(p(token, head));
    Fill(b(token, head), shape_.key_dim, 0.05, 0.95);
    for (int i = 0; i < shape_.key_dim; ++i) {
      if (shape_.erase == Erase::kLowRank) {
        b(token, head)[i] *= p(token, head)[i];
      } else {
        p(token, head)[i] = b(token, head)[i] * k(token, head)[i];
      }
    }
  }

  LinearRecurrenceShape shape_;
  int tokens_;
  int stride_;
  Random random_;
  Poisoned qkv_, pb_, bonus_, g_, beta_, state_, trace_, out_;
};

inline void Naive(int, int tokens, const LinearRecurrenceShape& shape,
                  const LinearRecurrenceArgs& args) {
  LinearRecurrenceNaive(tokens, shape, args);
}

// The fast forms, last head first.
inline void Recurrent(int, int tokens, const LinearRecurrenceShape& shape,
                      const LinearRecurrenceArgs& args) {
  for (int h = shape.heads - 1; h >= 0; --h) {
    Poisoned scratch(RecurrentScratchFloats(shape), 1);
    LinearRecurrenceRecurrent(tokens, shape, args, h, scratch.data());
    EXPECT_TRUE(scratch.intact());
  }
}
inline void Chunk(int position, int tokens, const LinearRecurrenceShape& shape,
                  const LinearRecurrenceArgs& args) {
  for (int h = shape.heads - 1; h >= 0; --h) {
    Poisoned scratch(ChunkScratchFloats(shape), 1);
    LinearRecurrenceChunk(position, tokens, shape, args, h, scratch.data());
    EXPECT_TRUE(scratch.intact());
  }
}

}  // namespace fastweights
