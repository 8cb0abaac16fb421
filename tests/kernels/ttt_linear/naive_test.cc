// SPDX-License-Identifier: MIT
#include "golden_case.h"
#include "kernel_test.h"
#include "kernels/ttt_linear/ttt_linear.h"

namespace fastweights {
namespace {

void ExpectThePapersNumbers(int mini_batch, int tokens) {
  constexpr int kHeads = 2, kDim = 16;
  SCOPED_TRACE(testing::Message() << mini_batch << ", " << tokens);
  const TttLinearShape shape = {.residual = TttResidual::kOutput,
                                .heads = kHeads,
                                .dim = kDim,
                                .mini_batch = mini_batch,
                                .epsilon = 1e-6f};
  GoldenArrays arrays =
      ReadGoldenCase("ttt_linear_mb" + std::to_string(mini_batch), tokens);
  for (float& q : arrays["q"]) q *= 0.25f;
  std::vector<float> state(kHeads * TttLinearStateFloats(shape), 0.0f);
  // Calls f(a place of a golden state, the same place of the kernel's).
  const auto for_each = [&](const std::string& suffix, const auto& f) {
    for (int i = 0; i < kHeads * kDim * kDim; ++i) {
      const int head = i / (kDim * kDim), key = i / kDim % kDim;
      f(arrays["state_" + suffix][i], state[head * TttLinearStateFloats(shape) +
                                            StateIndex(shape, key, i % kDim)]);
    }
    for (int i = 0; i < kHeads * kDim; ++i) {
      f(arrays["bias_" + suffix][i],
        state[i / kDim * TttLinearStateFloats(shape) + kDim * kDim + i % kDim]);
    }
  };
  for_each("in", [](float golden, float& place) { place = golden; });
  Poisoned out(static_cast<size_t>(tokens) * kHeads * kDim);
  TttLinearNaive(tokens, shape,
                 {.q = arrays["q"].data(),
                  .q_stride = kHeads * kDim,
                  .k = arrays["k"].data(),
                  .k_stride = kHeads * kDim,
                  .v = arrays["v"].data(),
                  .v_stride = kHeads * kDim,
                  .eta = arrays["eta"].data(),
                  .lr = nullptr,
                  .gamma = arrays["w"].data(),
                  .beta = arrays["b"].data(),
                  .state = state.data(),
                  .state_stride = TttLinearStateFloats(shape),
                  .out = out.data(),
                  .out_stride = kHeads * kDim});
  EXPECT_TRUE(out.intact());
  EXPECT_TRUE(Near(out.values(), arrays["o"], 1e-6));
  std::vector<float> expected, actual;
  for_each("out", [&](float golden, float place) {
    expected.push_back(golden);
    actual.push_back(place);
  });
  EXPECT_TRUE(Near(actual, expected, 1e-6));
}

TEST(TttLinearNaive, DefinitionGivesThePapersNumbers) {
  for (const int tokens : {1, 5, 64, 200}) ExpectThePapersNumbers(1, tokens);
  for (const int tokens : {64, 192}) ExpectThePapersNumbers(16, tokens);
}

}  // namespace
}  // namespace fastweights
