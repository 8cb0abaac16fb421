// SPDX-License-Identifier: MIT
#include "golden_case.h"
#include "kernel_test.h"
#include "kernels/titans/titans.h"

namespace fastweights {
namespace {

void ExpectThePapersNumbers(const char* operation, int mini_batch, int tokens) {
  SCOPED_TRACE(testing::Message() << operation << ", " << tokens);
  constexpr int kHeads = 2, kKeyDim = 16, kValueDim = 24;
  constexpr int kPlaces = kKeyDim * kValueDim;
  const TitansShape shape = {.heads = kHeads,
                             .key_dim = kKeyDim,
                             .value_dim = kValueDim,
                             .mini_batch = mini_batch};
  GoldenArrays arrays = ReadGoldenCase(operation, tokens);
  // Calls f(a place of a golden state, the same place of the kernel's).
  std::vector<float> state(kHeads * TitansStateFloats(shape));
  const auto for_each = [&](const std::string& suffix, const auto& f) {
    for (int i = 0; i < kHeads * kPlaces; ++i) {
      const int at = i % kPlaces;
      float* head = state.data() + i / kPlaces * TitansStateFloats(shape);
      head += StateIndex(shape, at / kValueDim, at % kValueDim);
      f(arrays["memory_" + suffix][i], head[0]);
      f(arrays["momentum_" + suffix][i], head[kPlaces]);
    }
  };
  for_each("in", [](float golden, float& place) { place = golden; });
  Poisoned out(static_cast<size_t>(tokens) * kHeads * kValueDim);
  TitansNaive(tokens, shape,
              {.q = arrays["q"].data(),
               .q_stride = kHeads * kKeyDim,
               .k = arrays["k"].data(),
               .k_stride = kHeads * kKeyDim,
               .v = arrays["v"].data(),
               .v_stride = kHeads * kValueDim,
               .alpha = arrays["alpha"].data(),
               .eta = arrays["eta"].data(),
               .theta = arrays["theta"].data(),
               .state = state.data(),
               .state_stride = TitansStateFloats(shape),
               .out = out.data(),
               .out_stride = kHeads * kValueDim});
  EXPECT_TRUE(out.intact());
  EXPECT_TRUE(Near(out.values(), arrays["o"], 2e-7));
  std::vector<float> expected, actual;
  for_each("out", [&](float golden, float place) {
    expected.push_back(golden);
    actual.push_back(place);
  });
  EXPECT_TRUE(Near(actual, expected, 2e-7));
}

TEST(TitansNaive, DefinitionGivesThePapersNumbers) {
  for (const int tokens : {1, 5, 64, 200}) {
    ExpectThePapersNumbers("titans", 1, tokens);
  }
  for (const int tokens : {64, 192}) {
    ExpectThePapersNumbers("titans_mb16", 16, tokens);
  }
}

}  // namespace
}  // namespace fastweights
