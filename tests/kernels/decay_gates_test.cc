// SPDX-License-Identifier: MIT
#include "kernels/decay_gates.h"

#include "kernel_test.h"
#include "kernels/exp.h"

namespace fastweights {
namespace {

double LogSigmoid(double x) {
  return x > 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
}
double SigmoidOf(double x) { return 1 / (1 + std::exp(-x)); }

// Inputs from far left to far right, and what is stored beside them.
struct Inputs {
  explicit Inputs(int count)
      : x(Random(count).Normals(count, 6.0), 1),
        bias(Random(count + 1).Normals(count), 1),
        g(count, 1),
        k(count, 1) {}
  Poisoned x, bias, g, k;
};

template <typename F>
std::vector<double> Of(const Inputs& in, const F& f) {
  std::vector<double> out;
  for (size_t i = 0; i < in.x.size(); ++i) {
    out.push_back(f(double{in.x.values()[i]}, double{in.bias.values()[i]}));
  }
  return out;
}

TEST(LogOnePlus, IsWithinThreeUnitsInTheLastPlace) {
  const LogOnePlus log;
  double worst = 0.0;
  for (double x = 0x1p-24; x <= 1.0; x = x * 1.0001 + 1e-6) {
    const float rounded = static_cast<float>(std::min(x, 1.0));
    float lanes[4];
    Store(lanes, log(Splat(rounded)));
    worst =
        std::max(worst, std::abs(lanes[1] / std::log1p(double{rounded}) - 1.0));
  }
  EXPECT_LE(worst, 3 * 0x1p-23);
}

TEST(DecayGates, AreTheirDefinitions) {
  for (const int count : {1, 3, 4, 9, 64}) {
    Inputs in(count);
    SoftplusDecay(count, in.x.data(), in.bias.data(), -1.5f, in.g.data());
    EXPECT_TRUE(Near(
        in.g.values(),
        Of(in, [](double x, double b) { return 1.5 * LogSigmoid(-(x + b)); }),
        5e-7));
    BoundedDecay(count, in.x.data(), in.bias.data(), 0.7f, -5, in.g.data());
    EXPECT_TRUE(Near(
        in.g.values(),
        Of(in,
           [](double x, double b) { return -5 * SigmoidOf(0.7f * (x + b)); }),
        5e-7));
    LogSigmoidDecay(count, in.x.data(), 16, -INFINITY, in.g.data());
    EXPECT_TRUE(Near(
        in.g.values(),
        Of(in, [](double x, double) { return LogSigmoid(x) / 16; }), 5e-7));
    LogSigmoidDecay(count, in.x.data(), 16, -0.05f, in.g.data());
    EXPECT_TRUE(Near(in.g.values(),
                     Of(in,
                        [](double x, double) {
                          return std::max(LogSigmoid(x) / 16, double{-0.05f});
                        }),
                     5e-7));
    EXPECT_TRUE(in.g.intact());
  }
}

TEST(DecayGates, ForgetGateIsDecayAndKey) {
  for (const int count : {1, 4, 13}) {
    for (const bool bounded : {false, true}) {
      Inputs in(count);
      Poisoned lower(Random(3).Uniforms(count, 0.0, 0.999), 1);
      const auto l = [&](size_t i) {
        return bounded ? double{lower.values()[i]} : 0.0;
      };
      std::vector<double> keys, decays;
      for (int i = 0; i < count; ++i) {
        keys.push_back((1 - l(i)) * SigmoidOf(-in.x.values()[i]));
        decays.push_back(std::log1p(-keys.back()));
      }
      ForgetDecay(count, in.x.data(), bounded ? lower.data() : nullptr,
                  in.g.data(), in.x.data());
      EXPECT_TRUE(Near(in.g.values(), decays, 5e-7)) << bounded;
      EXPECT_TRUE(Near(in.x.values(), keys, 5e-7)) << bounded;
      EXPECT_TRUE(in.x.intact() && in.g.intact());
    }
  }
}

TEST(DecayGates, ExtremesStayFinite) {
  for (const float at : {-1e30f, -200.0f, 200.0f, 1e30f}) {
    float x[4] = {at, at, at, at}, zero[4] = {}, g[4], k[4];
    SoftplusDecay(4, x, zero, -1, g);
    EXPECT_TRUE(std::isfinite(g[0]) && g[0] <= 0) << at;
    LogSigmoidDecay(4, x, 1, -INFINITY, g);
    EXPECT_TRUE(std::isfinite(g[0]) && g[0] <= 0) << at;
    for (const float* lower : {static_cast<const float*>(nullptr),
                               static_cast<const float*>(zero)}) {
      ForgetDecay(4, x, lower, g, k);
      EXPECT_TRUE(g[0] <= 0 && k[0] >= 0 && k[0] <= 1) << at;
    }
  }
}

TEST(RetentionDecay, IsTheHeadsRate) {
  EXPECT_NEAR(RetentionDecay(0), std::log(1 - 1.0 / 32), 1e-8);
  EXPECT_NEAR(RetentionDecay(7), std::log(1 - 1.0 / 4096), 1e-9);
}

}  // namespace
}  // namespace fastweights
