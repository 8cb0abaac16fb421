// SPDX-License-Identifier: MIT
#include <map>
#include <sstream>
#include <string>

#include "golden_file.h"
#include "kernel_test.h"
#include "kernels/linear_recurrence/linear_recurrence.h"

namespace fastweights {
namespace {

// Sizes that golden/kernels.py writes its cases with.
constexpr int kHeads = 2;
constexpr int kKeyDim = 16;
constexpr int kValueDim = 24;

using Arrays = std::map<std::string, std::vector<float>>;

Arrays ReadCase(const std::string& operation, int tokens) {
  std::istringstream index(ReadGolden("kernels/index.txt"));
  const std::string bytes = ReadGolden("kernels/" + operation + "_T" +
                                       std::to_string(tokens) + ".bin");
  Arrays arrays;
  std::string name, array;
  int length = 0, offset = 0, count = 0;
  while (index >> name >> length >> array >> offset >> count) {
    if (name != operation || length != tokens) continue;
    arrays[array] = GoldenFloats(bytes, offset, count);
  }
  EXPECT_FALSE(arrays.empty()) << operation << " is not in the index";
  return arrays;
}

struct Golden {
  const char* operation;
  Decay decay;
  Erase erase;
  int heads;
};

class LinearRecurrenceGolden : public testing::TestWithParam<Golden> {
 protected:
  // The kernel's output; arrays["state_in"] becomes the state after it.
  static std::vector<float> Run(int tokens, Arrays& arrays) {
    const Golden& golden = GetParam();
    // The goldens scale q within the recurrence.
    for (float& q : arrays["q"]) q *= 0.25f;
    if (arrays["g"].empty() && golden.decay == Decay::kPerHead) {
      // Retention: 1 - 2^(-5 - head), the same at every token.
      for (int t = 0; t < tokens; ++t) {
        for (int h = 0; h < golden.heads; ++h) {
          arrays["g"].push_back(std::log1p(-std::exp2(-5.0f - h)));
        }
      }
    }
    const LinearRecurrenceShape shape = {.decay = golden.decay,
                                         .erase = golden.erase,
                                         .order = KeyHeads::kGrouped,
                                         .heads = golden.heads,
                                         .key_heads = kHeads,
                                         .key_dim = kKeyDim,
                                         .value_dim = kValueDim};
    // The goldens' states are [heads, key_dim, value_dim].
    std::vector<float>& rows = arrays["state_in"];
    std::vector<float> state(rows.size());
    const auto index = [&](size_t i) {
      const size_t head = i / (kKeyDim * kValueDim) * kKeyDim * kValueDim;
      const int at = static_cast<int>(i - head);
      return head + StateIndex(shape, at / kValueDim, at % kValueDim);
    };
    for (size_t i = 0; i < rows.size(); ++i) state[index(i)] = rows[i];
    Poisoned out(static_cast<size_t>(tokens) * golden.heads * kValueDim);
    LinearRecurrenceNaive(tokens, shape,
                          {.q = arrays["q"].data(),
                           .q_stride = kHeads * kKeyDim,
                           .k = arrays["k"].data(),
                           .k_stride = kHeads * kKeyDim,
                           .v = arrays["v"].data(),
                           .v_stride = golden.heads * kValueDim,
                           .g = arrays["g"].data(),
                           .beta = arrays["beta"].data(),
                           .state = state.data(),
                           .state_stride = kKeyDim * kValueDim,
                           .out = out.data(),
                           .out_stride = golden.heads * kValueDim});
    EXPECT_TRUE(out.intact());
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = state[index(i)];
    return {out.values().begin(), out.values().end()};
  }
};

TEST_P(LinearRecurrenceGolden, DefinitionGivesThePapersNumbers) {
  for (const int tokens : {1, 5, 64, 200}) {
    SCOPED_TRACE(tokens);
    Arrays arrays = ReadCase(GetParam().operation, tokens);
    const std::vector<float> out = Run(tokens, arrays);
    EXPECT_TRUE(Near(out, arrays["o"], 2e-7));
    EXPECT_TRUE(Near(arrays["state_in"], arrays["state_out"], 2e-7));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operations, LinearRecurrenceGolden,
    testing::Values(Golden{"delta_rule", Decay::kNone, Erase::kDelta, kHeads},
                    Golden{"gated_delta_rule", Decay::kPerHead, Erase::kDelta,
                           kHeads},
                    Golden{"gated_delta_rule_grouped", Decay::kPerHead,
                           Erase::kDelta, 2 * kHeads},
                    Golden{"kda", Decay::kPerChannel, Erase::kDelta, kHeads},
                    Golden{"gla", Decay::kPerChannel, Erase::kNone, kHeads},
                    Golden{"simple_gla", Decay::kPerHead, Erase::kNone, kHeads},
                    Golden{"retention", Decay::kPerHead, Erase::kNone, kHeads}),
    [](const auto& info) { return std::string(info.param.operation); });

using LinearAttentionGolden = LinearRecurrenceGolden;

// The golden output is divided by q.z, z the sum of the keys so far.
TEST_P(LinearAttentionGolden, DefinitionGivesTheNumeratorOfThePapersNumbers) {
  for (const int tokens : {1, 5, 64, 200}) {
    SCOPED_TRACE(tokens);
    Arrays arrays = ReadCase("linear_attn", tokens);
    std::vector<float> out = Run(tokens, arrays);
    std::vector<double> z(arrays["z_in"].begin(), arrays["z_in"].end());
    for (int row = 0; row < tokens * kHeads; ++row) {
      const float* q = arrays["q"].data() + row * kKeyDim;
      const float* k = arrays["k"].data() + row * kKeyDim;
      double normaliser = 0.0;
      for (int i = 0; i < kKeyDim; ++i) {
        normaliser += q[i] * (z[row % kHeads * kKeyDim + i] += k[i]);
      }
      for (int i = 0; i < kValueDim; ++i)
        out[row * kValueDim + i] /= normaliser;
    }
    EXPECT_TRUE(Near(out, arrays["o"], 2e-7));
    EXPECT_TRUE(Near(arrays["state_in"], arrays["state_out"], 2e-7));
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, LinearAttentionGolden,
                         testing::Values(Golden{"linear_attn", Decay::kNone,
                                                Erase::kNone, kHeads}));

// Value head j of 4 over 2 key heads reads 0 1 0 1 tiled, 0 0 1 1 grouped.
TEST(LinearRecurrenceNaive, KeyHeadsAreTiledOrGrouped) {
  const std::vector<float> q = {1, 0, 0, 0, 2, 0, 0, 0};
  const std::vector<float> k = {1, 0, 0, 0, 1, 0, 0, 0};
  const std::vector<float> v(16, 1.0f);
  for (const KeyHeads order : {KeyHeads::kTiled, KeyHeads::kGrouped}) {
    std::vector<float> state(64, 0.0f), out(16, NAN);
    LinearRecurrenceNaive(1,
                          {.decay = Decay::kNone,
                           .erase = Erase::kNone,
                           .order = order,
                           .heads = 4,
                           .key_heads = 2,
                           .key_dim = 4,
                           .value_dim = 4},
                          {.q = q.data(),
                           .q_stride = 8,
                           .k = k.data(),
                           .k_stride = 8,
                           .v = v.data(),
                           .v_stride = 16,
                           .g = nullptr,
                           .beta = nullptr,
                           .state = state.data(),
                           .state_stride = 16,
                           .out = out.data(),
                           .out_stride = 16});
    EXPECT_EQ(out[4], order == KeyHeads::kTiled ? 2.0f : 1.0f);
    EXPECT_EQ(out[8], order == KeyHeads::kTiled ? 1.0f : 2.0f);
  }
}

}  // namespace
}  // namespace fastweights
