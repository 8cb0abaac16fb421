// SPDX-License-Identifier: MIT
#include "runtime/sampler.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "kernel_test.h"

namespace fastweights {
namespace {

Sampler MakeSampler(int vocab, const SamplerOptions& options,
                    uint64_t seed = 1) {
  Sampler sampler;
  EXPECT_TRUE(sampler.Reserve(vocab));
  sampler.Configure(options);
  sampler.Seed(seed);
  return sampler;
}

std::map<int, int> Draw(Sampler& sampler, const std::vector<float>& logits,
                        int draws) {
  std::map<int, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[sampler.Sample(logits.data())];
  return counts;
}

// The tokens that come up at all.
std::set<int> Support(const SamplerOptions& options,
                      const std::vector<float>& logits) {
  Sampler sampler = MakeSampler(static_cast<int>(logits.size()), options);
  std::set<int> support;
  for (const auto& [token, count] : Draw(sampler, logits, 20'000)) {
    support.insert(token);
  }
  return support;
}

std::vector<float> Logs(std::vector<double> probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities) {
    logits.push_back(static_cast<float>(std::log(p) + 3.0));
  }
  return logits;
}

int Greedy(Sampler& sampler, const std::vector<float>& logits) {
  return sampler.Sample(logits.data());
}

TEST(Sampler, TemperatureZeroTakesTheLargestAndOfEqualsTheFirst) {
  for (const std::vector<float>& logits :
       {std::vector<float>{1, 5, 3, 5, -2}, std::vector<float>{-9, -1, -3},
        std::vector<float>{0, 7}}) {
    Sampler sampler = MakeSampler(logits.size(), {.temperature = 0.0f});
    EXPECT_EQ(Greedy(sampler, logits), 1);
    Sampler one = MakeSampler(logits.size(), {.top_k = 1});
    for (int i = 0; i < 100; ++i) EXPECT_EQ(Greedy(one, logits), 1);
  }
}

TEST(Sampler, DrawsFollowTheSoftmax) {
  constexpr int kDraws = 100'000, kVocab = 40;
  const std::vector<float> logits = Random(7).Normals(kVocab, 1.5);
  for (const float temperature : {0.5f, 1.0f, 2.0f}) {
    Sampler sampler = MakeSampler(kVocab, {.temperature = temperature});
    std::map<int, int> counts = Draw(sampler, logits, kDraws);
    double total = 0.0, chi_square = 0.0;
    for (const float x : logits) total += std::exp(double{x} / temperature);
    for (int token = 0; token < kVocab; ++token) {
      const double expected =
          kDraws * std::exp(double{logits[token]} / temperature) / total;
      const double off = counts[token] - expected;
      chi_square += off * off / expected;
    }
    // 39 degrees of freedom: above 80 once in 8 000 seeds.
    EXPECT_LE(chi_square, 80.0) << temperature;
  }
}

TEST(Sampler, TopKKeepsTheMostLikely) {
  const std::vector<float> logits = Logs({0.1, 0.3, 0.15, 0.25, 0.05, 0.15});
  using Set = std::set<int>;
  EXPECT_EQ(Support({.top_k = 1}, logits), Set({1}));
  EXPECT_EQ(Support({.top_k = 2}, logits), Set({1, 3}));
  // Of the equals 2 and 5 the lower token.
  EXPECT_EQ(Support({.top_k = 3}, logits), Set({1, 2, 3}));
  EXPECT_EQ(Support({.top_k = 4}, logits), Set({1, 2, 3, 5}));
  EXPECT_EQ(Support({.top_k = 6}, logits).size(), 6u);
  EXPECT_EQ(Support({.top_k = 1 << 30}, logits).size(), 6u);
  EXPECT_EQ(Support({.top_k = 0}, logits).size(), 6u);
}

// Of a large vocabulary nearly all is skipped, in blocks that end anywhere.
TEST(Sampler, TopKOfALargeVocabularyKeepsTheMostLikely) {
  constexpr int kVocab = 1003;
  std::vector<float> logits = Random(9).Normals(kVocab);
  for (int i = 0; i < kVocab; i += 7) logits[i] = i % 2 ? NAN : -INFINITY;
  // Equals at both ends of blocks, and the best of all at the very end.
  for (const int i : {1, 64, 127, 128, 300, 1001}) logits[i] = 5.0f;
  logits[1002] = 6.0f;
  const std::vector<int> best = {1002, 1, 64, 127, 128, 300, 1001};
  for (const int k : {1, 2, 4, 7}) {
    EXPECT_EQ(Support({.top_k = k}, logits),
              std::set<int>(best.begin(), best.begin() + k));
  }
  Sampler greedy = MakeSampler(kVocab, {.temperature = 0.0f});
  EXPECT_EQ(Greedy(greedy, logits), 1002);
  logits[1002] = 5.0f;
  EXPECT_EQ(Greedy(greedy, logits), 1);
  std::fill(logits.begin(), logits.end(), -3.0f);
  EXPECT_EQ(Greedy(greedy, logits), 0);
  // 40 of a thousand different ones.
  for (int i = 0; i < kVocab; ++i) {
    logits[i] = static_cast<float>((i * 389) % kVocab) * 1e-3f;
  }
  std::set<int> expected;
  for (int i = 0; i < kVocab; ++i) {
    if (logits[i] >= 0.963f) expected.insert(i);
  }
  EXPECT_EQ(expected.size(), 40u);
  EXPECT_EQ(Support({.top_k = 40}, logits), expected);
}

TEST(Sampler, TopPKeepsTheFewestThatReachIt) {
  const std::vector<float> logits = Logs({0.1, 0.4, 0.2, 0.25, 0.05});
  using Set = std::set<int>;
  EXPECT_EQ(Support({.top_p = 0.39f}, logits), Set({1}));
  EXPECT_EQ(Support({.top_p = 0.41f}, logits), Set({1, 3}));
  EXPECT_EQ(Support({.top_p = 0.64f}, logits), Set({1, 3}));
  EXPECT_EQ(Support({.top_p = 0.66f}, logits), Set({1, 2, 3}));
  EXPECT_EQ(Support({.top_p = 0.94f}, logits), Set({0, 1, 2, 3}));
  EXPECT_EQ(Support({.top_p = 1.0f}, logits).size(), 5u);
  // Renormalised after top-k: 0.4 is 0.62 of what 1 and 3 have together.
  EXPECT_EQ(Support({.top_k = 2, .top_p = 0.6f}, logits), Set({1}));
}

// What JavaScript calls positive may be zero as a float.
TEST(Sampler, TopPOfNothingKeepsTheMostLikely) {
  const std::vector<float> logits = Logs({0.1, 0.2, 0.4, 0.25, 0.05});
  EXPECT_EQ(Support({.top_p = 0.0f}, logits), std::set<int>({2}));
  EXPECT_EQ(Support({.top_p = 1e-30f}, logits), std::set<int>({2}));
}

TEST(Sampler, MinPIsRelativeToTheMostLikely) {
  const std::vector<float> logits = Logs({0.1, 0.4, 0.2, 0.25, 0.05});
  using Set = std::set<int>;
  EXPECT_EQ(Support({.min_p = 0.63f}, logits), Set({1}));
  EXPECT_EQ(Support({.min_p = 0.62f}, logits), Set({1, 3}));
  EXPECT_EQ(Support({.min_p = 0.49f}, logits), Set({1, 2, 3}));
  EXPECT_EQ(Support({.min_p = 0.12f}, logits).size(), 5u);
  EXPECT_EQ(Support({.min_p = 1.0f}, logits), Set({1}));
  // Temperature comes first: at 2 the ratio of 3 to 1 is sqrt(0.625).
  EXPECT_EQ(Support({.temperature = 2.0f, .min_p = 0.78f}, logits),
            Set({1, 3}));
}

TEST(Sampler, NucleusKeepsItsProportions) {
  const std::vector<float> logits = Logs({0.1, 0.4, 0.2, 0.25, 0.05});
  Sampler sampler = MakeSampler(5, {.top_p = 0.8f});
  std::map<int, int> counts = Draw(sampler, logits, 85'000);
  // Six standard deviations.
  EXPECT_NEAR(counts[1], 40'000, 900);
  EXPECT_NEAR(counts[3], 25'000, 800);
  EXPECT_NEAR(counts[2], 20'000, 750);
}

TEST(Sampler, BiasIsAddedToTheLogit) {
  const std::vector<float> logits = {3.0f, 2.0f, 1.0f};
  Sampler sampler = MakeSampler(3, {.temperature = 0.0f});
  sampler.AddBias(2, 2.5f);
  EXPECT_EQ(Greedy(sampler, logits), 2);
  sampler.AddBias(2, -INFINITY);
  EXPECT_EQ(Greedy(sampler, logits), 0);
  sampler.AddBias(0, -INFINITY);
  EXPECT_EQ(Greedy(sampler, logits), 1);
  sampler.ClearBias();
  EXPECT_EQ(Greedy(sampler, logits), 0);
}

TEST(Sampler, InfiniteBiasForcesAToken) {
  const std::vector<float> logits = {3.0f, 2.0f, 1.0f, 0.0f};
  for (const float top_p : {1.0f, 0.9f}) {
    for (const float min_p : {0.0f, 0.05f}) {
      Sampler sampler = MakeSampler(4, {.top_p = top_p, .min_p = min_p});
      sampler.AddBias(1, INFINITY);
      for (int i = 0; i < 100; ++i) ASSERT_EQ(Greedy(sampler, logits), 1);
    }
  }
}

TEST(Sampler, LogitsThatAreNotFiniteAreNeverDrawn) {
  const std::vector<float> logits = {NAN, 1.0f, -INFINITY, 0.5f, NAN};
  using Set = std::set<int>;
  EXPECT_EQ(Support({}, logits), Set({1, 3}));
  EXPECT_EQ(Support({.top_k = 2}, logits), Set({1, 3}));
  EXPECT_EQ(Support({.top_k = 4, .top_p = 0.99f}, logits), Set({1, 3}));
  EXPECT_EQ(Support({.temperature = 0.0f}, logits), Set({1}));
}

TEST(Sampler, NothingIsDrawnWhereAllIsForbidden) {
  const std::vector<float> logits = {5, 1, 3};
  for (const float temperature : {0.0f, 1.0f}) {
    Sampler sampler = MakeSampler(3, {.temperature = temperature});
    for (const int token : {0, 1, 2}) sampler.AddBias(token, -INFINITY);
    EXPECT_EQ(sampler.Sample(logits.data()), kForbidden);
    sampler.ClearBias();
    sampler.Restrict();
    EXPECT_EQ(sampler.Sample(logits.data()), kForbidden);
  }
}

TEST(Sampler, SameSeedGivesTheSameDraws) {
  const std::vector<float> logits = Random(3).Normals(500);
  const auto text = [&](uint64_t seed) {
    Sampler sampler = MakeSampler(500, {.top_k = 40, .top_p = 0.95f}, seed);
    std::vector<int> tokens;
    for (int i = 0; i < 50; ++i)
      tokens.push_back(sampler.Sample(logits.data()));
    return tokens;
  };
  EXPECT_EQ(text(5), text(5));
  EXPECT_NE(text(5), text(6));
  EXPECT_NE(text(0), text(1));
}

TEST(Sampler, CopyGoesOnAsTheOriginalAndApart) {
  const std::vector<float> logits = Random(4).Normals(100);
  Sampler original =
      MakeSampler(100, {.frequency_penalty = 0.5f, .penalty_window = 4096}, 9);
  original.AddBias(3, 4.0f);
  // More than the history holds.
  for (int i = 0; i < 5000; ++i) original.Accept(i % 100);
  Draw(original, logits, 10);
  Sampler copy, other;
  ASSERT_TRUE(copy.CopyFrom(original));
  ASSERT_TRUE(other.CopyFrom(original));
  other.Accept(7);
  other.AddBias(7, 100.0f);
  Draw(other, logits, 5);
  for (int i = 0; i < 50; ++i) {
    const int token = original.Sample(logits.data());
    EXPECT_EQ(copy.Sample(logits.data()), token);
    original.Accept(token);
    copy.Accept(token);
  }
}

std::vector<float> Wavy(int vocab) {
  std::vector<float> logits(vocab);
  for (int i = 0; i < vocab; ++i) {
    logits[i] = 4 * std::sin(static_cast<float>(i * 7 % 1013));
  }
  return logits;
}

TEST(Sampler, RestrictedDrawsWhatIsAllowedAndNothingElse) {
  for (const int vocab : {7, 32, 64, 130, 1000}) {
    const std::vector<float> logits = Wavy(vocab);
    for (const SamplerOptions& options :
         {SamplerOptions{.temperature = 0.0f}, SamplerOptions{},
          SamplerOptions{.temperature = 5.0f, .top_k = 3},
          SamplerOptions{.top_p = 0.5f, .min_p = 0.1f}}) {
      for (const int stride : {1, 2, 6, 63, 129}) {
        Sampler sampler = MakeSampler(vocab, options);
        uint32_t* bits = sampler.Restrict();
        std::vector<float> masked(vocab, -INFINITY);
        for (int token = stride - 1; token < vocab; token += stride) {
          bits[token / 32] |= 1u << token % 32;
          masked[token] = logits[token];
        }
        if (stride > vocab) continue;
        Sampler plain = MakeSampler(vocab, options);
        for (int i = 0; i < 200; ++i) {
          ASSERT_EQ(Greedy(sampler, logits), Greedy(plain, masked));
        }
      }
    }
  }
}

TEST(Sampler, RestrictionHoldsWhereBiasForbidsAllThatItAllows) {
  const std::vector<float> logits = {5, 1, 3, 2, 0};
  Sampler sampler = MakeSampler(5, {});
  uint32_t* bits = sampler.Restrict();
  bits[0] = 0b1110;
  for (const int token : {1, 2, 3}) sampler.AddBias(token, -INFINITY);
  sampler.AddBias(0, 100);
  EXPECT_EQ(Greedy(sampler, logits), 2);
  bits[0] = 0b10000;
  EXPECT_EQ(Greedy(sampler, logits), 4);
}

TEST(Sampler, RestrictionEndsWithTheNextConfiguration) {
  const std::vector<float> logits = {5, 1, 3};
  Sampler sampler = MakeSampler(3, {.temperature = 0.0f});
  sampler.Restrict()[0] = 0b10;
  EXPECT_EQ(Greedy(sampler, logits), 1);
  Sampler copy;
  ASSERT_TRUE(copy.CopyFrom(sampler));
  EXPECT_EQ(Greedy(copy, logits), 0);
  sampler.Configure({.temperature = 0.0f});
  EXPECT_EQ(Greedy(sampler, logits), 0);
}

// What a draw from the whole vocabulary is: a weight for each token, the fewest
// that reach top_p of their sum, those of them that min_p leaves, and of these
// the one where the sum passes a random number.
int Defined(const SamplerOptions& options, const std::vector<float>& logits,
            double uniform) {
  struct Weight {
    float weight;
    int token;
  };
  std::vector<Weight> kept;
  const float best = *std::max_element(logits.begin(), logits.end());
  for (int i = 0; i < static_cast<int>(logits.size()); ++i) {
    if (!(logits[i] > -INFINITY)) continue;
    kept.push_back({std::exp((logits[i] - best) / options.temperature), i});
  }
  const auto sum = [](const std::vector<Weight>& of) {
    double total = 0;
    for (const Weight& one : of) total += one.weight;
    return total;
  };
  if (options.top_p < 1) {
    const double target = options.top_p * sum(kept);
    std::stable_sort(
        kept.begin(), kept.end(),
        [](const Weight& a, const Weight& b) { return a.weight > b.weight; });
    double reached = 0;
    size_t taken = 0;
    while (taken < kept.size() && (taken == 0 || reached < target)) {
      reached += kept[taken++].weight;
    }
    kept.resize(taken);
  }
  std::erase_if(kept,
                [&](const Weight& one) { return one.weight < options.min_p; });
  double left = uniform * sum(kept);
  for (const Weight& one : kept) {
    left -= one.weight;
    if (left < 0) return one.token;
  }
  return kept.back().token;
}

// splitmix64's number after a seed.
double UniformAfter(uint64_t seed) {
  uint64_t z = seed + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

TEST(Sampler, WholeVocabularyDrawsWhatItsDefinitionDoes) {
  const SamplerOptions kOptions[] = {
      {},
      {.temperature = 0.7f},
      {.temperature = 3},
      {.top_p = 0.95f},
      {.top_p = 0.5f},
      {.temperature = 2, .top_p = 0.999f},
      {.min_p = 0.05f},
      {.min_p = 1},
      {.temperature = 1e6f, .min_p = 1},
      {.min_p = 1e-4f},
      {.temperature = 0.8f, .top_p = 0.95f, .min_p = 0.05f},
  };
  Random random(3);
  for (const int vocab : {3, 65, 1003, 20'000}) {
    // As flat as random weights make it, and as steep as a model that knows.
    for (const double spread : {0.0, 1.0, 4.0, 30.0}) {
      std::vector<float> logits = random.Normals(vocab, spread);
      if (vocab > 100) logits[17] = logits[18] = -INFINITY;
      for (const SamplerOptions& options : kOptions) {
        Sampler sampler = MakeSampler(vocab, options);
        for (uint64_t seed = 0; seed < 40; ++seed) {
          sampler.Seed(seed);
          ASSERT_EQ(sampler.Sample(logits.data()),
                    Defined(options, logits, UniformAfter(seed)))
              << vocab << " tokens, spread " << spread << ", seed " << seed;
        }
      }
    }
  }
}

// A restriction that leaves most tokens is one of them that are forbidden.
TEST(Sampler, RestrictedToMostOfAVocabularyDrawsWhatBiasWouldLeave) {
  constexpr int kVocab = 2000;
  const std::vector<float> logits = Random(4).Normals(kVocab, 3.0);
  for (const SamplerOptions& options :
       {SamplerOptions{}, {.top_p = 0.9f}, {.min_p = 0.02f}}) {
    Sampler restricted = MakeSampler(kVocab, options);
    Sampler biased = MakeSampler(kVocab, options);
    uint32_t* allowed = restricted.Restrict();
    for (int i = 0; i < kVocab; ++i) {
      if (i % 3 == 0) {
        biased.AddBias(i, -INFINITY);
      } else {
        allowed[i / 32] |= 1u << i % 32;
      }
    }
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(restricted.Sample(logits.data()), biased.Sample(logits.data()));
      ASSERT_EQ(restricted.generator(), biased.generator());
    }
  }
}

}  // namespace
}  // namespace fastweights
