// SPDX-License-Identifier: MIT

// Whatever options, logits, bias, restriction and history there are, a draw is
// of a token in the vocabulary that the restriction allows, or kForbidden.

#include "runtime/sampler.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "base/check.h"

namespace fastweights {
namespace {

// Numbers that arithmetic is bad at, or any bits.
float AnyFloat(FuzzedDataProvider& input) {
  constexpr float kOdd[] = {0.0f,      -0.0f,  1.0f,       -1.0f, 1e-45f,
                            1e-38f,    1e-6f,  0.5f,       2.0f,  88.0f,
                            -1e30f,    3e38f,  -3e38f,     NAN,   INFINITY,
                            -INFINITY, 0.999f, 16777216.0f};
  const auto kind = input.ConsumeIntegralInRange<size_t>(0, std::size(kOdd));
  if (kind < std::size(kOdd)) return kOdd[kind];
  const auto bits = input.ConsumeIntegral<uint32_t>();
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

struct Restriction {
  std::vector<uint32_t> words;
  bool Allows(int token) const {
    return words.empty() || (words[token / 32] >> (token % 32) & 1) != 0;
  }
};

void Fuzz(FuzzedDataProvider& input) {
  const int vocab = input.ConsumeIntegralInRange(1, 300);
  Sampler sampler;
  CHECK(sampler.Reserve(vocab));
  const auto token = [&] { return input.ConsumeIntegralInRange(0, vocab - 1); };

  // More than web/options.ts lets through, but for min_p, which above 1 leaves
  // nothing, and a repetition penalty below zero, which turns logits round.
  sampler.Configure({
      .temperature = AnyFloat(input),
      .top_k = input.ConsumeIntegral<int>(),
      .top_p = AnyFloat(input),
      .min_p = input.ConsumeFloatingPointInRange(0.0f, 1.0f),
      .repetition_penalty = input.ConsumeFloatingPointInRange(1e-6f, 1e6f),
      .frequency_penalty = AnyFloat(input),
      .presence_penalty = AnyFloat(input),
      .penalty_window = input.ConsumeIntegral<int>(),
  });
  sampler.Seed(input.ConsumeIntegral<uint64_t>());
  std::vector<std::pair<int, float>> bias(input.ConsumeIntegralInRange(0, 8));
  for (auto& [biased, value] : bias) {
    biased = token();
    value = AnyFloat(input);
    sampler.AddBias(biased, value);
  }
  // The last ones of a long text, so that the ring has gone round.
  const int before = input.ConsumeBool() ? Sampler::kHistory - 3 : 0;
  for (int i = 0; i < before; ++i) sampler.Accept(i % vocab);
  for (int i = input.ConsumeIntegralInRange(0, 16); i > 0; --i) {
    sampler.Accept(token());
  }
  Restriction restriction;
  if (input.ConsumeBool()) {
    restriction.words.resize((vocab + 31) / 32);
    for (int i = input.ConsumeIntegralInRange(0, 12); i > 0; --i) {
      const int allowed = token();
      restriction.words[allowed / 32] |= uint32_t{1} << allowed % 32;
    }
    uint32_t* words = sampler.Restrict();
    CHECK(words != nullptr);
    std::copy(restriction.words.begin(), restriction.words.end(), words);
  }
  // Few logits are given, the others repeat them: ties are the hard case.
  std::vector<float> given(input.ConsumeIntegralInRange(1, 12));
  for (float& x : given) x = AnyFloat(input);
  std::vector<float> logits(vocab);
  for (int i = 0; i < vocab; ++i) logits[i] = given[i * 7 % given.size()];

  const int draws = input.ConsumeIntegralInRange(1, 4);
  for (int i = 0; i < draws; ++i) {
    Sampler again;
    CHECK(again.CopyFrom(sampler));
    const int drawn = sampler.Sample(logits.data());
    CHECK(drawn == kForbidden || (drawn >= 0 && drawn < vocab));
    bool any = false;
    for (int t = 0; t < vocab; ++t) any |= restriction.Allows(t);
    if (drawn == kForbidden) {
      // A restriction that allows something always has its way.
      CHECK(restriction.words.empty() || !any);
      continue;
    }
    CHECK(restriction.Allows(drawn));
    if (restriction.words.empty()) {
      for (const auto& [biased, value] : bias) {
        CHECK(biased != drawn || value != -INFINITY);
      }
      // A copy draws the same.
      CHECK(again.Sample(logits.data()) == drawn);
    }
    sampler.Accept(drawn);
  }
}

}  // namespace
}  // namespace fastweights

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  FuzzedDataProvider input(bytes, size);
  fastweights::Fuzz(input);
  return 0;
}
