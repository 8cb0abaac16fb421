// SPDX-License-Identifier: MIT

// A trained RWKV-7 against what its own implementation makes of it.

#include "kernel_test.h"
#include "runtime/golden_model.h"

namespace fastweights {
namespace {

// The logits after `"in` that the tests of rwkv.cpp expect.
TEST(TrainedRwkv7, LogitsAreThoseOfRwkvCpp) {
  const std::shared_ptr<Model> model = LoadModel("rwkv7_trained");
  const std::vector<float> expected =
      GoldenFloats(ReadGolden("models/rwkv7_trained/rwkv_cpp_logits_3.bin"));
  const auto session = Session::Make(model);
  const std::vector<int> ids = {'"', 'i', 'n'};
  ASSERT_TRUE(session->Prefill(ids.data(), 3, true));
  EXPECT_TRUE(Near(std::span(session->logits(), 256), expected, 1e-6));
}

}  // namespace
}  // namespace fastweights
