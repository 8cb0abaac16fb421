// SPDX-License-Identifier: MIT
#include "kernels/linear_recurrence/normaliser.h"

#include <tuple>

#include "kernels/linear_recurrence/golden_cell.h"

namespace fastweights {
namespace {

LinearRecurrenceShape Shape(Decay decay, int heads, int key_heads, int key_dim,
                            int value_dim) {
  return {.decay = decay,
          .erase = Erase::kNone,
          .order = KeyHeads::kGrouped,
          .heads = heads,
          .key_heads = key_heads,
          .key_dim = key_dim,
          .value_dim = value_dim};
}

// The golden's output from the cell's.
void Divide(int tokens, const LinearRecurrenceShape& shape, Arrays& arrays,
            const NormaliserArgs& args, std::vector<float>& out) {
  LinearRecurrenceArgs cell = ArgsOf(shape, arrays);
  cell.out = out.data();
  NormaliseNaive(tokens, shape, cell, args);
}

TEST(NormaliserNaive, GivesTheNumbersOfTheLinearTransformer) {
  const LinearRecurrenceShape shape =
      Shape(Decay::kNone, kHeads, kHeads, kKeyDim, kValueDim);
  for (const int tokens : GoldenLengths("linear_attn")) {
    SCOPED_TRACE(tokens);
    Arrays a = ReadGoldenCase("linear_attn", tokens);
    Scale(a["q"], 0.25f);
    std::vector<float> out = RunNaive(tokens, shape, a, a["state_in"]);
    Divide(tokens, shape, a,
           {.kind = Normaliser::kSum,
            .epsilon = 1e-10f,
            .floor = nullptr,
            .z = a["z_in"].data(),
            .z_stride = kKeyDim},
           out);
    EXPECT_TRUE(Near(out, a["o"], 2e-7));
    EXPECT_TRUE(Near(a["state_in"], a["state_out"], 2e-7));
    EXPECT_TRUE(Near(a["z_in"], a["z_out"], 2e-7));
  }
}

TEST(NormaliserNaive, GivesTheNumbersOfMlstm) {
  const LinearRecurrenceShape shape =
      Shape(Decay::kPerHead, kHeads, kHeads, kKeyDim, kValueDim);
  for (const int tokens : GoldenLengths("mlstm")) {
    SCOPED_TRACE(tokens);
    Arrays a = ReadGoldenCase("mlstm", tokens);
    Scale(a["q"], 0.25f);
    StabiliseMlstmNaive(tokens, shape,
                        {.i = a["i"].data(),
                         .f = a["f"].data(),
                         .k = a["k"].data(),
                         .k_stride = kHeads * kKeyDim,
                         .m = a["m_in"].data()});
    a["g"] = a["f"];
    std::vector<float> out = RunNaive(tokens, shape, a, a["C_in"]);
    Divide(tokens, shape, a,
           {.kind = Normaliser::kSumOrOne,
            .epsilon = 1e-6f,
            .floor = a["i"].data(),
            .z = a["n_in"].data(),
            .z_stride = kKeyDim},
           out);
    EXPECT_TRUE(Near(out, a["o"], 5e-7));
    EXPECT_TRUE(Near(a["C_in"], a["C_out"], 5e-7));
    EXPECT_TRUE(Near(a["n_in"], a["n_out"], 5e-7));
    EXPECT_TRUE(Near(a["m_in"], a["m_out"], 5e-7));
  }
}

// The feature map of a scaled vector x: 1, x and x x^T / sqrt 2, to whose dot
// products the exponential's Taylor series goes.
std::vector<float> TaylorFeatures(const std::vector<float>& rows, double scale,
                                  int width) {
  std::vector<float> features;
  for (size_t row = 0; row < rows.size(); row += kKeyDim) {
    const size_t end = features.size() + width;
    const auto x = [&](int i) { return scale * rows[row + i]; };
    features.push_back(1.0f);
    for (int i = 0; i < kKeyDim; ++i) {
      features.push_back(static_cast<float>(x(i)));
    }
    for (int i = 0; i < kKeyDim * kKeyDim; ++i) {
      const double product = x(i / kKeyDim) * x(i % kKeyDim);
      features.push_back(static_cast<float>(product / std::sqrt(2.0)));
    }
    features.resize(end);
  }
  return features;
}

TEST(NormaliserNaive, GivesTheNumbersOfBased) {
  constexpr int kFeatures = (1 + kKeyDim + kKeyDim * kKeyDim + 3) / 4 * 4;
  const LinearRecurrenceShape shape =
      Shape(Decay::kNone, kHeads, kHeads, kFeatures, kValueDim);
  for (const int tokens : GoldenLengths("based")) {
    SCOPED_TRACE(tokens);
    Arrays a = ReadGoldenCase("based", tokens);
    a["q"] = TaylorFeatures(a["q"], 0.25, kFeatures);
    a["k"] = TaylorFeatures(a["k"], 1.0, kFeatures);
    std::vector<float> state(kHeads * kFeatures * kValueDim);
    std::vector<float> z(kHeads * kFeatures);
    std::vector<float> out = RunNaive(tokens, shape, a, state);
    Divide(tokens, shape, a,
           {.kind = Normaliser::kSum,
            .epsilon = 1e-6f,
            .floor = nullptr,
            .z = z.data(),
            .z_stride = kFeatures},
           out);
    EXPECT_TRUE(Near(out, a["o"], 2e-7));
  }
}

// Random inputs, each array apart. Keys and queries are positive, as those of
// feature maps are, or of every third token all negative where the normaliser
// asks for the size alone: sums that nearly cancel are not for comparing.
struct Problem {
  Problem(const LinearRecurrenceShape& s, Normaliser which, int tokens,
          size_t offset)
      : shape(s),
        kind(which),
        random(tokens * 257u + s.key_dim),
        q(Uniform(tokens * s.key_heads * s.key_dim, 0.0, 1.0), offset),
        k(Uniform(tokens * s.key_heads * s.key_dim, 0.0, 1.0), offset),
        g(Uniform(tokens * s.heads *
                      (s.decay == Decay::kPerChannel ? s.key_dim : 1),
                  -0.5, 0.0),
          offset),
        floor(Uniform(tokens * s.heads, 0.0, 3.0), offset),
        z(Uniform(s.heads * (s.key_dim + 3), 0.0, 1.0), offset),
        out(Uniform(tokens * s.heads * s.value_dim, -2.0, 2.0), offset) {
    const int keys = s.key_heads * s.key_dim;
    for (int i = 0; i < tokens * keys; ++i) {
      if (kind == Normaliser::kSumOrOne && i / keys % 3 == 0) q.data()[i] *= -1;
    }
    for (int h = 0; h < s.heads; ++h) {
      std::fill_n(z.data() + h * (s.key_dim + 3) + s.key_dim, 3, NAN);
    }
  }
  std::vector<float> Uniform(int count, double low, double high) {
    return random.Uniforms(count, low, high);
  }

  // Tokens [from, to).
  LinearRecurrenceArgs Cell(int from) {
    const int keys = shape.key_heads * shape.key_dim;
    const int values = shape.heads * shape.value_dim;
    const int gates =
        shape.heads * (shape.decay == Decay::kPerChannel ? shape.key_dim : 1);
    return {
        .q = q.data() + from * keys,
        .q_stride = keys,
        .k = k.data() + from * keys,
        .k_stride = keys,
        .v = nullptr,
        .v_stride = 0,
        .g = shape.decay == Decay::kNone ? nullptr : g.data() + from * gates,
        .beta = nullptr,
        .state = nullptr,
        .state_stride = 0,
        .out = out.data() + from * values,
        .out_stride = values};
  }
  NormaliserArgs Args(int from) {
    return {.kind = kind,
            .epsilon = 1e-6f,
            .floor = kind == Normaliser::kSum
                         ? nullptr
                         : floor.data() + from * shape.heads,
            .z = z.data(),
            .z_stride = shape.key_dim + 3};
  }
  void Run(int from, int to) {
    for (int h = shape.heads - 1; h >= 0; --h) {
      Poisoned scratch(NormaliserScratchFloats(shape), 1);
      Normalise(to - from, shape, Cell(from), Args(from), h, scratch.data());
      EXPECT_TRUE(scratch.intact());
    }
  }
  bool intact() const {
    return q.intact() && k.intact() && g.intact() && floor.intact() &&
           z.intact() && out.intact();
  }

  LinearRecurrenceShape shape;
  Normaliser kind;
  Random random;
  Poisoned q, k, g, floor, z, out;
};

using Mode = std::tuple<Decay, Normaliser>;
class NormaliserForm : public testing::TestWithParam<Mode> {};

// What lies between the sums of two heads is NaN, before and after.
std::vector<float> Sums(const Problem& problem) {
  std::vector<float> sums(problem.z.values().begin(), problem.z.values().end());
  const size_t stride = problem.shape.key_dim + 3;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (i % stride < stride - 3) continue;
    EXPECT_TRUE(std::isnan(sums[i]));
    sums[i] = 0.0f;
  }
  return sums;
}

TEST_P(NormaliserForm, EqualsTheDefinition) {
  const auto [decay, kind] = GetParam();
  for (const int dim : {4, 12, 64, 128, 256}) {
    for (const int tokens : {1, 5, 63, 64, 65, 200, 1000}) {
      if (tokens > 65 && dim > 12) continue;
      SCOPED_TRACE(testing::Message() << dim << ", " << tokens << " tokens");
      Problem fast(Shape(decay, 4, 2, dim, dim == 64 ? 4 : dim), kind, tokens,
                   tokens % 2);
      Problem slow = fast;
      fast.Run(0, tokens);
      NormaliseNaive(tokens, slow.shape, slow.Cell(0), slow.Args(0));
      EXPECT_TRUE(Near(fast.out.values(), slow.out.values(), 2e-6));
      EXPECT_TRUE(Near(Sums(fast), Sums(slow), 2e-6));
      EXPECT_TRUE(fast.intact());
    }
  }
}

TEST_P(NormaliserForm, StateCarriesAcrossCalls) {
  const auto [decay, kind] = GetParam();
  constexpr int kTokens = 37;
  Problem whole(Shape(decay, 4, 2, 12, 20), kind, kTokens, 0);
  Problem parts = whole;
  whole.Run(0, kTokens);
  for (int t = 0; t < kTokens; t += 5) {
    parts.Run(t, std::min(t + 5, kTokens));
  }
  EXPECT_TRUE(Same(parts.out.values(), whole.out.values()));
  EXPECT_TRUE(Same(parts.z.values(), whole.z.values()));
}

TEST_P(NormaliserForm, HazardousDecaysAndKeysAreHarmless) {
  const auto [decay, kind] = GetParam();
  constexpr int kTokens = 64;
  Problem fast(Shape(decay, 4, 2, 12, 20), kind, kTokens, 0);
  const float decays[] = {0.0f, -1e4f, -1e-30f, -20.0f, -88.0f, -0.1f};
  for (size_t i = 0; i < fast.g.size(); ++i) fast.g.data()[i] = decays[i % 6];
  std::fill_n(fast.k.data(), 24, 0.0f);
  std::fill_n(fast.k.data() + 24, 24, 1e-40f);
  fast.floor.data()[5] = INFINITY;
  Problem slow = fast;
  fast.Run(0, kTokens);
  NormaliseNaive(kTokens, slow.shape, slow.Cell(0), slow.Args(0));
  EXPECT_TRUE(Near(fast.out.values(), slow.out.values(), 2e-6));
}

TEST_P(NormaliserForm, ManyStepsDoNotDrift) {
  const auto [decay, kind] = GetParam();
  constexpr int kTokens = 100000;
  Problem fast(Shape(decay, 1, 1, 8, 4), kind, kTokens, 0);
  for (size_t i = 0; i < fast.g.size(); ++i) fast.g.data()[i] *= 0.01f;
  Problem slow = fast;
  fast.Run(0, kTokens);
  NormaliseNaive(kTokens, slow.shape, slow.Cell(0), slow.Args(0));
  EXPECT_TRUE(Near(Sums(fast), Sums(slow), 1e-4));
  EXPECT_TRUE(Near(fast.out.values(), slow.out.values(), 1e-4));
}

INSTANTIATE_TEST_SUITE_P(
    Normaliser, NormaliserForm,
    testing::Combine(testing::Values(Decay::kNone, Decay::kPerHead,
                                     Decay::kPerChannel),
                     testing::Values(Normaliser::kSum, Normaliser::kSumOrOne)));

}  // namespace
}  // namespace fastweights
