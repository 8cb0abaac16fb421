// SPDX-License-Identifier: MIT
#include "kernel_test.h"
#include "runtime/sampler.h"

namespace fastweights {
namespace {

// A penalised logit cannot be seen, so it is bracketed: token 0's logit after
// penalties lies between `expected` -+ 0.01 if a rival there loses and wins.
void ExpectPenalised(const SamplerOptions& options,
                     const std::vector<int>& history, float logit,
                     float expected) {
  for (const float off : {-0.01f, 0.01f}) {
    Sampler sampler;
    ASSERT_TRUE(sampler.Reserve(3));
    sampler.Configure(options);
    for (const int token : history) sampler.Accept(token);
    const float logits[] = {logit, expected + off, -100.0f};
    EXPECT_EQ(sampler.Sample(logits), off < 0 ? 0 : 1)
        << "logit " << logit << " should become " << expected;
  }
}

SamplerOptions Greedy() { return {.temperature = 0.0f}; }

TEST(SamplerPenalties, RepetitionDividesPositiveAndMultipliesNegativeLogits) {
  SamplerOptions options = Greedy();
  options.repetition_penalty = 2.0f;
  ExpectPenalised(options, {0}, 3.0f, 1.5f);
  ExpectPenalised(options, {0}, -3.0f, -6.0f);
  // Once, however often the token occurs.
  ExpectPenalised(options, {0, 2, 0, 0}, 3.0f, 1.5f);
  ExpectPenalised(options, {2, 2}, 3.0f, 3.0f);
  ExpectPenalised(options, {}, 3.0f, 3.0f);
}

TEST(SamplerPenalties, FrequencyCountsEachOccurrence) {
  SamplerOptions options = Greedy();
  options.frequency_penalty = 0.5f;
  ExpectPenalised(options, {0}, 3.0f, 2.5f);
  ExpectPenalised(options, {0, 2, 0, 0}, 3.0f, 1.5f);
  ExpectPenalised(options, {2}, 3.0f, 3.0f);
  options.frequency_penalty = -0.5f;
  ExpectPenalised(options, {0, 0}, 3.0f, 4.0f);
}

TEST(SamplerPenalties, PresenceCountsOnce) {
  SamplerOptions options = Greedy();
  options.presence_penalty = 0.5f;
  ExpectPenalised(options, {0, 0, 0}, 3.0f, 2.5f);
  ExpectPenalised(options, {2}, 3.0f, 3.0f);
}

TEST(SamplerPenalties, RepetitionComesBeforeTheOthers) {
  SamplerOptions options = Greedy();
  options.repetition_penalty = 2.0f;
  options.frequency_penalty = 0.25f;
  options.presence_penalty = 0.5f;
  ExpectPenalised(options, {0, 0}, 3.0f, 0.5f);
}

TEST(SamplerPenalties, BiasComesBeforePenalties) {
  Sampler sampler;
  ASSERT_TRUE(sampler.Reserve(2));
  SamplerOptions options = Greedy();
  options.repetition_penalty = 4.0f;
  sampler.Configure(options);
  sampler.AddBias(0, 3.0f);
  sampler.Accept(0);
  // (1 + 3) / 4, not 1 / 4 + 3.
  const float logits[] = {1.0f, 2.0f};
  EXPECT_EQ(sampler.Sample(logits), 1);
}

TEST(SamplerPenalties, OnlyTheWindowCounts) {
  SamplerOptions options = Greedy();
  options.frequency_penalty = 1.0f;
  options.penalty_window = 3;
  ExpectPenalised(options, {0, 0, 2, 0, 2}, 5.0f, 4.0f);
  ExpectPenalised(options, {0, 0, 2, 2, 2}, 5.0f, 5.0f);
  options.penalty_window = 0;
  ExpectPenalised(options, {0}, 5.0f, 5.0f);
}

TEST(SamplerPenalties, LongTextsKeepTheLastTokens) {
  SamplerOptions options = Greedy();
  options.frequency_penalty = 0.001f;
  options.penalty_window = 1 << 30;
  std::vector<int> history(10'000, 0);
  // Of 10 000 tokens the last 4096 are kept.
  ExpectPenalised(options, history, 9.0f, 9.0f - 4.096f);
  history.insert(history.end(), 4096, 2);
  ExpectPenalised(options, history, 9.0f, 9.0f);
}

TEST(SamplerPenalties, DrawsDoNotAddUp) {
  Sampler sampler;
  ASSERT_TRUE(sampler.Reserve(2));
  SamplerOptions options = Greedy();
  options.presence_penalty = 1.0f;
  sampler.Configure(options);
  sampler.Accept(0);
  const float logits[] = {2.5f, 1.0f};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(sampler.Sample(logits), 0);
  sampler.Forget();
  const float close[] = {1.5f, 1.0f};
  EXPECT_EQ(sampler.Sample(close), 0);
}

}  // namespace
}  // namespace fastweights
