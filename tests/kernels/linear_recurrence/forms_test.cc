// SPDX-License-Identifier: MIT
#include <tuple>

#include "kernel_test.h"
#include "kernels/linear_recurrence/linear_recurrence.h"

namespace fastweights {
namespace {

constexpr Decay kDecays[] = {Decay::kNone, Decay::kPerHead, Decay::kPerChannel};
constexpr Erase kErases[] = {Erase::kNone, Erase::kDelta};
constexpr KeyHeads kOrders[] = {KeyHeads::kTiled, KeyHeads::kGrouped};

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
        g_(GateCount(), offset),
        beta_(static_cast<size_t>(tokens) * shape.heads, offset),
        state_(StateCount(), offset),
        out_(static_cast<size_t>(tokens) * ValueChannels(), offset) {
    for (int t = 0; t < tokens; ++t) {
      for (int h = 0; h < shape.key_heads; ++h) {
        Unit(q(t, h));
        Unit(k(t, h));
      }
      Fill(v(t, 0), ValueChannels(), -2.0, 2.0);
    }
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
  Poisoned& out() { return out_; }
  bool intact() const {
    return qkv_.intact() && g_.intact() && beta_.intact() && state_.intact() &&
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
         .beta = shape_.erase == Erase::kNone
                     ? nullptr
                     : beta_.data() + from * shape_.heads,
         .state = state_.data(),
         .state_stride = ChunkStateFloats(shape_),
         .out = in_place ? v(from, 0) : out_.data() + from * ValueChannels(),
         .out_stride = in_place ? stride_ : ValueChannels()});
  }
  void Run(Kernel& kernel) { Run(kernel, 0, tokens_); }
  void RunInPlace(Kernel& kernel) { Run(kernel, 0, tokens_, true); }

 private:
  static constexpr int kGap = 3;

  static uint64_t Seed(const LinearRecurrenceShape& s, int tokens) {
    return ((tokens * 257u + s.key_dim) * 257u + s.value_dim) * 6 +
           static_cast<int>(s.decay) * 2 + static_cast<int>(s.erase);
  }
  int KeyChannels() const { return shape_.key_heads * shape_.key_dim; }
  int ValueChannels() const { return shape_.heads * shape_.value_dim; }
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

  LinearRecurrenceShape shape_;
  int tokens_;
  int stride_;
  Random random_;
  Poisoned qkv_, g_, beta_, state_, out_;
};

void Naive(int, int tokens, const LinearRecurrenceShape& shape,
           const LinearRecurrenceArgs& args) {
  LinearRecurrenceNaive(tokens, shape, args);
}

// The fast forms, last head first.
void Recurrent(int, int tokens, const LinearRecurrenceShape& shape,
               const LinearRecurrenceArgs& args) {
  for (int h = shape.heads - 1; h >= 0; --h) {
    std::vector<float> scratch(RecurrentScratchFloats(shape), NAN);
    LinearRecurrenceRecurrent(tokens, shape, args, h, scratch.data());
  }
}
void Chunk(int position, int tokens, const LinearRecurrenceShape& shape,
           const LinearRecurrenceArgs& args) {
  for (int h = shape.heads - 1; h >= 0; --h) {
    std::vector<float> scratch(ChunkScratchFloats(shape), NAN);
    LinearRecurrenceChunk(position, tokens, shape, args, h, scratch.data());
  }
}

// The state is compared where no token is pending.
void ExpectTheDefinition(Problem::Kernel* form, const Problem& problem,
                         int tokens, double limit) {
  Problem fast = problem, slow = problem;
  fast.Run(*form);
  slow.Run(Naive);
  EXPECT_TRUE(Near(fast.out().values(), slow.out().values(), limit));
  if (form == Recurrent || tokens % kChunkTokens == 0) {
    EXPECT_TRUE(Near(fast.states(), slow.states(), limit));
  }
  EXPECT_TRUE(fast.intact());
}

using Mode = std::tuple<Problem::Kernel*, Decay, Erase, KeyHeads>;

class LinearRecurrenceForms : public testing::TestWithParam<Mode> {
 protected:
  // Two key heads under four value heads.
  static LinearRecurrenceShape Shape(int key_dim, int value_dim) {
    const auto [form, decay, erase, order] = GetParam();
    return {.decay = decay,
            .erase = erase,
            .order = order,
            .heads = 4,
            .key_heads = 2,
            .key_dim = key_dim,
            .value_dim = value_dim};
  }
  static Problem::Kernel* Form() { return std::get<0>(GetParam()); }
};

TEST_P(LinearRecurrenceForms, EqualsTheDefinition) {
  const std::pair<int, int> dims[] = {{4, 4},    {4, 256},  {256, 4},  {12, 16},
                                      {16, 12},  {60, 64},  {64, 60},  {12, 60},
                                      {128, 64}, {64, 128}, {128, 128}};
  for (const auto& [key_dim, value_dim] : dims) {
    for (const int tokens : {1, 5, 63, 64, 65, 200}) {
      // The longest texts only where the definition is quick about them.
      if (tokens > 5 && tokens != 64 && key_dim * value_dim > 1024) continue;
      SCOPED_TRACE(testing::Message() << key_dim << " x " << value_dim << ", "
                                      << tokens << " tokens");
      const size_t offset = tokens % 2;
      ExpectTheDefinition(Form(),
                          Problem(Shape(key_dim, value_dim), tokens, offset),
                          tokens, 2e-6);
    }
  }
  ExpectTheDefinition(Form(), Problem(Shape(256, 256), 8), 8, 2e-6);
}

TEST_P(LinearRecurrenceForms, OneKeyHeadToAValueHead) {
  LinearRecurrenceShape shape = Shape(16, 20);
  shape.key_heads = shape.heads = 3;
  ExpectTheDefinition(Form(), Problem(shape, 72), 72, 2e-6);
}

// Chunks begin at fixed positions, so not even rounding may differ.
TEST_P(LinearRecurrenceForms, StateCarriesAcrossCalls) {
  constexpr int kTokens = 72;
  const Problem problem(Shape(12, 20), kTokens);
  Problem whole = problem;
  whole.Run(*Form());
  for (const int step : {1, 2, 5, 7, 8, 9, 64}) {
    Problem parts = problem;
    for (int t = 0; t < kTokens; t += step) {
      parts.Run(*Form(), t, std::min(t + step, kTokens));
    }
    EXPECT_TRUE(Same(parts.out().values(), whole.out().values())) << step;
    EXPECT_TRUE(Same(parts.states(), whole.states())) << step;
    EXPECT_TRUE(parts.intact());
  }
}

TEST_P(LinearRecurrenceForms, OutputMayTakeThePlaceOfValues) {
  constexpr int kTokens = 21;
  const LinearRecurrenceShape shape = Shape(12, 20);
  Problem apart(shape, kTokens), in_place = apart;
  apart.Run(*Form());
  in_place.RunInPlace(*Form());
  for (int t = 0; t < kTokens; ++t) {
    const size_t row = shape.heads * shape.value_dim;
    EXPECT_TRUE(Same({in_place.v(t, 0), row},
                     apart.out().values().subspan(t * row, row)));
  }
  EXPECT_TRUE(Same(in_place.states(), apart.states()));
  EXPECT_TRUE(in_place.intact());
}

TEST_P(LinearRecurrenceForms, HazardousGatesAndKeysAreHarmless) {
  constexpr int kTokens = 64;
  Problem problem(Shape(12, 20), kTokens);
  const float decays[] = {0.0f, -1e4f, -1e-30f, -20.0f, -88.0f, -0.1f};
  const float betas[] = {0.0f, 1.0f, 2.0f, 0.5f, 1e-40f};
  for (size_t i = 0; i < problem.g().size(); ++i) {
    problem.g().data()[i] = decays[i % 7 % 6];
  }
  for (size_t i = 0; i < problem.beta().size(); ++i) {
    problem.beta().data()[i] = betas[i % 5];
  }
  for (int t = 0; t < kTokens; ++t) {
    for (int h = 0; h < 2; ++h) {
      if (t % 5 == 1) std::fill_n(problem.k(t, h), 12, 0.0f);
      if (t % 5 == 2) std::fill_n(problem.k(t, h), 12, 1e-40f);
      if (t % 7 == 3) std::fill_n(problem.q(t, h), 12, -1e-40f);
    }
    if (t % 11 == 4) std::fill_n(problem.v(t, 0), 80, 1e-40f);
  }
  ExpectTheDefinition(Form(), problem, kTokens, 2e-6);
}

TEST_P(LinearRecurrenceForms, NoTokensChangeNothing) {
  Problem problem(Shape(4, 4), 1);
  const std::vector<float> before = problem.states();
  problem.Run(*Form(), 0, 0);
  EXPECT_TRUE(Same(problem.states(), before));
  EXPECT_TRUE(problem.intact());
}

INSTANTIATE_TEST_SUITE_P(Recurrent, LinearRecurrenceForms,
                         testing::Combine(testing::Values(Recurrent),
                                          testing::ValuesIn(kDecays),
                                          testing::ValuesIn(kErases),
                                          testing::ValuesIn(kOrders)));
INSTANTIATE_TEST_SUITE_P(
    Chunk, LinearRecurrenceForms,
    testing::Combine(testing::Values(Chunk),
                     testing::Values(Decay::kNone, Decay::kPerHead),
                     testing::ValuesIn(kErases), testing::ValuesIn(kOrders)));

}  // namespace
}  // namespace fastweights
