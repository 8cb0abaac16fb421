// SPDX-License-Identifier: MIT
#include "kernels/linear_recurrence/golden_cell.h"

namespace fastweights {
namespace {

// Writes of a system's arrays those that the cell calls q, k, v, g, beta, p, b
// and bonus.
using ToCell = void (*)(int tokens, Arrays& arrays);

struct Golden {
  const char* operation;
  Decay decay;
  Erase erase;
  ToCell to_cell;
  Read read = Read::kAfterWrite;
  int heads = kHeads;
};

void ScaleQueries(int, Arrays& a) { Scale(a["q"], 0.25f); }

void Retention(int tokens, Arrays& a) {
  ScaleQueries(tokens, a);
  for (int i = 0; i < tokens * kHeads; ++i) {
    a["g"].push_back(std::log1p(-std::exp2(-5.0f - i % kHeads)));
  }
}

// Layer 1 of 4.
void Lightning(int tokens, Arrays& a) {
  for (int i = 0; i < tokens * kHeads; ++i) {
    const double slope = std::exp2(-8.0 * (i % kHeads + 1) / kHeads);
    a["g"].push_back(static_cast<float>(-slope * (1.0 - 1.0 / 3.0 + 1e-5)));
  }
}

void Hgrn2(int, Arrays& a) {
  for (const float f : a["f"]) {
    a["k"].push_back(1.0f - f);
    a["g"].push_back(std::log(f));
  }
}

void Rwkv6(int, Arrays& a) {
  a["q"] = a["r"];
  a["g"] = a["w"];
  a["bonus"] = a["u"];
}

void Longhorn(int, Arrays& a) {
  for (size_t i = 0; i < a["beta"].size(); ++i) {
    const float* k = a["k"].data() + i * kKeyDim;
    double kk = 0.0;
    for (int c = 0; c < kKeyDim; ++c) kk += double{k[c]} * k[c];
    const double beta = a["beta"][i];
    a["beta"][i] = static_cast<float>(beta / (1.0 + beta * kk));
  }
}

void Gdn2(int tokens, Arrays& a) {
  ScaleQueries(tokens, a);
  a["p"] = a["k"];
  Gate(a["p"], a["b"]);
  Gate(a["v"], a["w"]);
}

void LeastSquares(int, Arrays& a) {
  a["p"] = a["k"];
  a["k"] = a["gain"];
}

void Comba(int tokens, Arrays& a) {
  ScaleQueries(tokens, a);
  a["b"] = a["k"];
  Gate(a["b"], a["beta"]);
  Gate(a["v"], a["beta"]);
}

void Rwkv7(int, Arrays& a) {
  a["q"] = a["r"];
  a["g"] = a["w"];
  a["p"] = a["a"];
  Scale(a["b"], -1.0f);
}

class LinearRecurrenceGolden : public testing::TestWithParam<Golden> {};

TEST_P(LinearRecurrenceGolden, DefinitionGivesThePapersNumbers) {
  const Golden& golden = GetParam();
  const LinearRecurrenceShape shape = {.decay = golden.decay,
                                       .erase = golden.erase,
                                       .read = golden.read,
                                       .order = KeyHeads::kGrouped,
                                       .heads = golden.heads,
                                       .key_heads = kHeads,
                                       .key_dim = kKeyDim,
                                       .value_dim = kValueDim};
  for (const int tokens : GoldenLengths(golden.operation)) {
    SCOPED_TRACE(tokens);
    Arrays arrays = ReadGoldenCase(golden.operation, tokens);
    golden.to_cell(tokens, arrays);
    std::vector<float> state = arrays["state_in"];
    // Least squares, which starts from nothing.
    if (state.empty()) state.resize(golden.heads * kKeyDim * kValueDim);
    const std::vector<float> out = RunNaive(tokens, shape, arrays, state);
    EXPECT_TRUE(Near(out, arrays["o"], 2e-7));
    if (arrays["state_out"].empty()) continue;
    EXPECT_TRUE(Near(state, arrays["state_out"], 2e-7));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operations, LinearRecurrenceGolden,
    testing::Values(
        Golden{"delta_rule", Decay::kNone, Erase::kDelta, ScaleQueries},
        Golden{"gated_delta_rule", Decay::kPerHead, Erase::kDelta,
               ScaleQueries},
        Golden{"gated_delta_rule_grouped", Decay::kPerHead, Erase::kDelta,
               ScaleQueries, Read::kAfterWrite, 2 * kHeads},
        Golden{"kda", Decay::kPerChannel, Erase::kDelta, ScaleQueries},
        Golden{"gla", Decay::kPerChannel, Erase::kNone, ScaleQueries},
        Golden{"simple_gla", Decay::kPerHead, Erase::kNone, ScaleQueries},
        Golden{"retention", Decay::kPerHead, Erase::kNone, Retention},
        Golden{"lightning", Decay::kPerHead, Erase::kNone, Lightning},
        Golden{"hgrn2", Decay::kPerChannel, Erase::kNone, Hgrn2},
        Golden{"rwkv6", Decay::kPerChannel, Erase::kNone, Rwkv6,
               Read::kBeforeWrite},
        Golden{"longhorn", Decay::kNone, Erase::kDelta, Longhorn},
        Golden{"gdn2", Decay::kPerChannel, Erase::kKey, Gdn2},
        Golden{"rls", Decay::kNone, Erase::kKey, LeastSquares},
        Golden{"comba", Decay::kPerHead, Erase::kLowRank, Comba},
        Golden{"rwkv7", Decay::kPerChannel, Erase::kLowRank, Rwkv7}),
    [](const auto& info) { return std::string(info.param.operation); });

// One group of B and C for all heads, a state [heads, value, key] and a skip.
TEST(LinearRecurrenceNaive, GivesTheNumbersOfMamba2) {
  constexpr int kState = 8, kChannels = 12;
  const LinearRecurrenceShape shape = {.decay = Decay::kPerHead,
                                       .erase = Erase::kNone,
                                       .order = KeyHeads::kGrouped,
                                       .heads = kHeads,
                                       .key_heads = 1,
                                       .key_dim = kState,
                                       .value_dim = kChannels};
  const auto transposed = [](const std::vector<float>& rows) {
    std::vector<float> to(rows.size());
    constexpr size_t kHead = kState * kChannels;
    for (size_t i = 0; i < rows.size(); ++i) {
      const size_t at = i % kHead;
      to[i - at + at % kState * kChannels + at / kState] = rows[i];
    }
    return to;
  };
  for (const int tokens : GoldenLengths("mamba2")) {
    SCOPED_TRACE(tokens);
    Arrays a = ReadGoldenCase("mamba2", tokens);
    a["q"] = a["C"];
    a["k"] = a["B"];
    a["v"] = a["x"];
    Gate(a["v"], a["dt"]);
    for (int i = 0; i < tokens * kHeads; ++i) {
      a["g"].push_back(a["dt"][i] * a["A"][i % kHeads]);
    }
    std::vector<float> state = transposed(a["state_in"]);
    std::vector<float> out = RunNaive(tokens, shape, a, state);
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] += a["D"][i / kChannels % kHeads] * a["x"][i];
    }
    EXPECT_TRUE(Near(out, a["y"], 2e-7));
    EXPECT_TRUE(Near(state, transposed(a["state_out"]), 2e-7));
  }
}

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
