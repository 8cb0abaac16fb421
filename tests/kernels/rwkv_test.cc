// SPDX-License-Identifier: MIT
#include "kernels/rwkv.h"

#include "kernel_test.h"

namespace fastweights {
namespace {

constexpr int kRows = 3, kDim = 12, kStride = 20;

double ExactSigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// Rows of kDim at kStride, as one array.
std::vector<double> Rows(std::span<const float> strided) {
  std::vector<double> rows;
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < kDim; ++i) rows.push_back(strided[row * kStride + i]);
  }
  return rows;
}

// What lies between the rows must stay.
void ExpectGaps(const Poisoned& now, const std::vector<float>& before) {
  for (int i = 0; i < static_cast<int>(before.size()); ++i) {
    if (i % kStride < kDim) continue;
    EXPECT_EQ(now.values()[i], before[i]) << i;
  }
  EXPECT_TRUE(now.intact());
}

class Rwkv7 : public testing::TestWithParam<bool> {};

TEST_P(Rwkv7, PrepareIsTheDefinition) {
  const bool is_first = GetParam();
  std::vector<std::vector<float>> vectors, arrays;
  for (int i = 0; i < 6; ++i) vectors.push_back(Random(i).Normals(kDim));
  for (int i = 0; i < 7; ++i) {
    arrays.push_back(Random(10 + i).Normals(kRows * kStride, 2.0));
  }
  enum { kW0, kA0, kV0, kKk, kKa, kRk };
  enum { kR, kK, kV, kW, kA, kP, kFirst };
  std::vector<double> k, v, w, a, p, first, bonus;
  for (int row = 0; row < kRows; ++row) {
    const auto x = [&](int array, int i) {
      return double{arrays[array][row * kStride + i]};
    };
    const auto u = [&](int vector, int i) {
      return double{vectors[vector][i]};
    };
    double squares = 0, read = 0;
    for (int i = 0; i < kDim; ++i) {
      squares += std::pow(x(kK, i) * u(kKk, i), 2);
      const double rate = ExactSigmoid(u(kA0, i) + x(kA, i));
      k.push_back(x(kK, i) * (1 + (rate - 1) * u(kKa, i)));
      read += x(kR, i) * k.back() * u(kRk, i);
    }
    for (int i = 0; i < kDim; ++i) {
      w.push_back(-std::exp(-0.5) * ExactSigmoid(u(kW0, i) + x(kW, i)));
      p.push_back(x(kK, i) * u(kKk, i) / std::sqrt(squares));
      a.push_back(p.back() * ExactSigmoid(u(kA0, i) + x(kA, i)));
      const double blend = ExactSigmoid(u(kV0, i) + x(kP, i));
      v.push_back(is_first ? x(kV, i)
                           : x(kV, i) + (x(kFirst, i) - x(kV, i)) * blend);
      first.push_back(is_first ? x(kV, i) : x(kFirst, i));
      bonus.push_back(read * v.back());
    }
  }
  std::vector<Poisoned> at;
  for (const auto& array : arrays) at.emplace_back(array, 1);
  // Without a blend nothing reads p.
  if (is_first) {
    for (int row = 0; row < kRows; ++row) {
      std::fill_n(at[kP].data() + row * kStride, kDim, NAN);
    }
  }
  Poisoned found(kRows * kDim, 1);
  Rwkv7Prepare(kRows, kDim,
               {.w0 = vectors[kW0].data(),
                .a0 = vectors[kA0].data(),
                .v0 = is_first ? nullptr : vectors[kV0].data(),
                .k_k = vectors[kKk].data(),
                .k_a = vectors[kKa].data(),
                .r_k = vectors[kRk].data()},
               {.stride = kStride,
                .r = at[kR].data(),
                .k = at[kK].data(),
                .v = at[kV].data(),
                .w = at[kW].data(),
                .a = at[kA].data(),
                .p = at[kP].data(),
                .first = at[kFirst].data(),
                .first_stride = kStride,
                .bonus = found.data()});
  EXPECT_TRUE(Near(Rows(at[kK].values()), k, 1e-6));
  EXPECT_TRUE(Near(Rows(at[kV].values()), v, 1e-6));
  EXPECT_TRUE(Near(Rows(at[kW].values()), w, 1e-6));
  EXPECT_TRUE(Near(Rows(at[kA].values()), a, 1e-6));
  EXPECT_TRUE(Near(Rows(at[kP].values()), p, 1e-6));
  EXPECT_TRUE(Near(Rows(at[kFirst].values()), first, 1e-6));
  EXPECT_TRUE(Near(found.values(), bonus, 1e-6));
  EXPECT_TRUE(found.intact());
  for (size_t i = 0; i < at.size(); ++i) ExpectGaps(at[i], arrays[i]);
}

INSTANTIATE_TEST_SUITE_P(Layers, Rwkv7, testing::Bool(), [](const auto& info) {
  return info.param ? "First" : "Later";
});

TEST(Rwkv7Prepare, KeysOfZeroEraseNothing) {
  std::vector<float> zeros(kDim), ones(kDim, 1.0f), v(kDim, 2.0f);
  std::vector<float> w(kDim), a(kDim), p(kDim, NAN), first(kDim), bonus(kDim);
  Rwkv7Prepare(1, kDim,
               {.w0 = zeros.data(),
                .a0 = zeros.data(),
                .v0 = nullptr,
                .k_k = ones.data(),
                .k_a = ones.data(),
                .r_k = ones.data()},
               {.stride = kDim,
                .r = ones.data(),
                .k = zeros.data(),
                .v = v.data(),
                .w = w.data(),
                .a = a.data(),
                .p = p.data(),
                .first = first.data(),
                .first_stride = kDim,
                .bonus = bonus.data()});
  for (const auto* array : {&p, &a, &bonus}) {
    for (const float x : *array) EXPECT_EQ(x, 0.0f);
  }
}

TEST(Rwkv7Gate, AddsTheBonusAndMultiplies) {
  const std::vector<float> o = Random(1).Normals(kRows * kStride);
  const std::vector<float> gate = Random(2).Normals(kRows * kStride);
  const std::vector<float> bonus = Random(3).Normals(kRows * kDim);
  for (const bool has_gate : {true, false}) {
    std::vector<double> expected;
    for (int i = 0; i < kRows * kDim; ++i) {
      const int at = i / kDim * kStride + i % kDim;
      expected.push_back((double{o[at]} + bonus[i]) *
                         (has_gate ? double{gate[at]} : 1.0));
    }
    Poisoned out(o, 1);
    Rwkv7Gate(kRows, kDim, bonus.data(), has_gate ? gate.data() : nullptr,
              out.data(), kStride);
    EXPECT_TRUE(Near(Rows(out.values()), expected, 2e-7));
    ExpectGaps(out, o);
  }
}

TEST(Rwkv6Decay, IsTheDefinition) {
  const std::vector<float> x = Random(1).Normals(kRows * kStride, 3.0);
  const std::vector<float> decay = Random(2).Normals(kDim, 3.0);
  std::vector<double> expected;
  for (int i = 0; i < kRows * kDim; ++i) {
    expected.push_back(
        -std::exp(double{x[i / kDim * kStride + i % kDim]} + decay[i % kDim]));
  }
  Poisoned w(x, 1);
  Rwkv6Decay(kRows, kDim, decay.data(), w.data(), kStride);
  EXPECT_TRUE(Near(Rows(w.values()), expected, 1e-6));
  ExpectGaps(w, x);
}

TEST(ComplementKeys, IsTheDefinition) {
  const std::vector<float> w = Random(1).Uniforms(kRows * kStride, -200, 0);
  const std::vector<float> x = Random(2).Normals(kRows * kStride);
  std::vector<double> expected;
  for (int i = 0; i < kRows * kDim; ++i) {
    const int at = i / kDim * kStride + i % kDim;
    expected.push_back(x[at] * (1 - std::exp(double{w[at]})));
  }
  Poisoned k(x, 1);
  ComplementKeys(kRows, kDim, w.data(), k.data(), kStride);
  EXPECT_TRUE(Near(Rows(k.values()), expected, 2e-7));
  ExpectGaps(k, x);
}

}  // namespace
}  // namespace fastweights
