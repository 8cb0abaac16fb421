// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <tuple>

#include "kernels/linear_recurrence/problem.h"

namespace fastweights {
namespace {

constexpr Decay kDecays[] = {Decay::kNone, Decay::kPerHead, Decay::kPerChannel};

// Reading before the write is for cells that do not erase.
struct Rule {
  Erase erase;
  Read read;
};
constexpr Rule kRules[] = {
    {Erase::kNone, Read::kAfterWrite},    {Erase::kNone, Read::kBeforeWrite},
    {Erase::kDelta, Read::kAfterWrite},   {Erase::kKey, Read::kAfterWrite},
    {Erase::kLowRank, Read::kAfterWrite},
};
constexpr KeyHeads kOrders[] = {KeyHeads::kTiled, KeyHeads::kGrouped};

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

using Mode = std::tuple<Problem::Kernel*, Decay, Rule, KeyHeads>;

class LinearRecurrenceForms : public testing::TestWithParam<Mode> {
 protected:
  // Two key heads under four value heads.
  static LinearRecurrenceShape Shape(int key_dim, int value_dim) {
    const auto [form, decay, rule, order] = GetParam();
    return {.decay = decay,
            .erase = rule.erase,
            .read = rule.read,
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
    for (const int tokens : {1, 5, 63, 64, 65, 200, 1000}) {
      // The longest texts only where the definition is quick about them.
      if (tokens > 5 && tokens != 64 && key_dim * value_dim > 1024) continue;
      if (tokens > 200 && key_dim * value_dim > 192) continue;
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
      if (t % 5 == 3) std::fill_n(problem.p(t, h), 12, 0.0f);
      if (t % 7 == 2) std::fill_n(problem.p(t, h), 12, 1e-40f);
      if (t % 7 == 4) std::fill_n(problem.b(t, h), 12, 1e-40f);
      if (t % 7 == 3) std::fill_n(problem.q(t, h), 12, -1e-40f);
    }
    if (t % 11 == 4) std::fill_n(problem.v(t, 0), 80, 1e-40f);
  }
  // What no decay but nothing would make small, where nothing reads it before.
  const auto [form, decay, rule, order] = GetParam();
  if (decay != Decay::kNone && rule.erase != Erase::kLowRank &&
      rule.read == Read::kAfterWrite) {
    const size_t gates = problem.g().size() / kTokens;
    std::fill_n(problem.g().data(), gates, -1e4f);
    for (int h = 0; h < 4; ++h) std::fill_n(problem.state(h), 240, 1e36f);
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

// To the bit, with what is pending, not on the calls that read it.
TEST_P(LinearRecurrenceForms, StateDependsOnTheTextAlone) {
  constexpr int kTokens = 37;
  Problem whole(Shape(12, 20), kTokens);
  whole.ForgetAll();
  Problem parts = whole;
  whole.Run(*Form());
  for (int t = 0; t < kTokens; t += 3) {
    parts.Run(*Form(), t, std::min(t + 3, kTokens));
  }
  EXPECT_TRUE(Same(parts.memory(), whole.memory()));
}

using LinearRecurrenceLongTexts = LinearRecurrenceForms;

// Small decays, so that what is long past still counts.
TEST_P(LinearRecurrenceLongTexts, DoNotDrift) {
  constexpr int kTokens = 100000;
  LinearRecurrenceShape shape = Shape(8, 8);
  shape.key_heads = shape.heads = 1;
  Problem problem(shape, kTokens);
  for (size_t i = 0; i < problem.g().size(); ++i) {
    problem.g().data()[i] *= 0.01f;
  }
  ExpectTheDefinition(Form(), problem, kTokens, 1e-4);
}

std::string NameOf(const testing::TestParamInfo<Mode>& info) {
  const auto [form, decay, rule, order] = info.param;
  constexpr const char* kDecayNames[] = {"Undecayed", "PerHead", "PerChannel"};
  constexpr const char* kEraseNames[] = {"None", "Delta", "Key", "LowRank"};
  return std::string(kDecayNames[static_cast<int>(decay)]) +
         kEraseNames[static_cast<int>(rule.erase)] +
         (rule.read == Read::kBeforeWrite ? "ReadBefore" : "") +
         (order == KeyHeads::kTiled ? "Tiled" : "Grouped");
}

INSTANTIATE_TEST_SUITE_P(Recurrent, LinearRecurrenceForms,
                         testing::Combine(testing::Values(Recurrent),
                                          testing::ValuesIn(kDecays),
                                          testing::ValuesIn(kRules),
                                          testing::ValuesIn(kOrders)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Chunk, LinearRecurrenceForms,
                         testing::Combine(testing::Values(Chunk),
                                          testing::ValuesIn(kDecays),
                                          testing::ValuesIn(kRules),
                                          testing::ValuesIn(kOrders)),
                         NameOf);

INSTANTIATE_TEST_SUITE_P(LongTexts, LinearRecurrenceLongTexts,
                         testing::Combine(testing::Values(Recurrent),
                                          testing::ValuesIn(kDecays),
                                          testing::ValuesIn(kRules),
                                          testing::Values(KeyHeads::kTiled)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(LongTextsInChunks, LinearRecurrenceLongTexts,
                         testing::Combine(testing::Values(Chunk),
                                          testing::ValuesIn(kDecays),
                                          testing::ValuesIn(kRules),
                                          testing::Values(KeyHeads::kTiled)),
                         NameOf);

}  // namespace
}  // namespace fastweights
