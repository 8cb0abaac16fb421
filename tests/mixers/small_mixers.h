// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/plan.h"

namespace fastweights {

// A small layer for each key of mixers.inc, for the tests of what mixers have
// in common. A new key needs an entry here; of a mixer that has other forms,
// further entries are in kMixerVariants.

inline constexpr int kSmallModelDim = 64;

inline const char* const kMixerVariants[] = {"channel_mix_alone",
                                             "linear_attention_kda",
                                             "linear_attention_retention",
                                             "linear_attention_forgetting",
                                             "linear_attention_delta",
                                             "rwkv6_shared",
                                             "rwkv7_later"};

struct SmallTensor {
  enum Kind { kMatrix, kValues };

  const char* role;
  Kind kind;
  int rows;
  int columns;
  double low = 0.0, high = 0.0;  // of values
};

struct SmallMixer {
  const char* name;
  std::map<std::string, double> sizes;
  std::vector<SmallTensor> tensors;  // the output's matrix last
  bool mixes_tokens = true;          // a feed-forward does not
  const char* key = nullptr;         // the name, unless it is a variant
  bool reads_carried = false;        // what an earlier mixer of its pass left
  int reach = 8;       // tokens back that a test may look for an effect of
  int own_inputs = 0;  // of products, of the model's width, beside its input

  // Every tensor has its role for a name.
  MixerPlan Plan() const {
    MixerPlan plan;
    plan.mixer = key ? key : name;
    plan.sizes = sizes;
    for (const SmallTensor& tensor : tensors) {
      plan.tensors[tensor.role] = tensor.role;
    }
    return plan;
  }
};

inline std::map<std::string, double> Rwkv7Sizes(int value_rank) {
  return {
      {"heads", 4},           {"head_dim", 16},           {"decay_rank", 32},
      {"rate_rank", 32},      {"value_rank", value_rank}, {"gate_rank", 32},
      {"norm_epsilon", 64e-5}};
}

inline std::vector<SmallTensor> Rwkv7Tensors(bool blends_values) {
  constexpr auto kMatrix = SmallTensor::kMatrix;
  constexpr auto kValues = SmallTensor::kValues;
  constexpr int kDim = kSmallModelDim;
  std::vector<SmallTensor> tensors = {{"mix", kValues, 6, kDim, 0.0, 1.0},
                                      {"receptance", kMatrix, 64, kDim},
                                      {"key", kMatrix, 64, kDim},
                                      {"value", kMatrix, 64, kDim},
                                      {"k_k", kValues, 1, 64, 0.5, 1.5},
                                      {"k_a", kValues, 1, 64, 0.5, 1.5},
                                      {"r_k", kValues, 1, 64, -0.5, 0.5},
                                      {"norm", kValues, 1, 64, 0.5, 1.5},
                                      {"norm_bias", kValues, 1, 64, -0.5, 0.5}};
  const auto low_rank = [&](const char* vector, const char* down,
                            const char* up) {
    if (vector) tensors.push_back({vector, kValues, 1, 64, -1.0, 1.0});
    tensors.push_back({down, kMatrix, 32, kDim});
    tensors.push_back({up, kMatrix, 64, 32});
  };
  low_rank("w0", "w1", "w2");
  low_rank("a0", "a1", "a2");
  if (blends_values) low_rank("v0", "v1", "v2");
  low_rank(nullptr, "g1", "g2");
  tensors.push_back({"output", kMatrix, kDim, 64});
  return tensors;
}

inline SmallMixer FindSmallMixer(const std::string& name) {
  constexpr auto kMatrix = SmallTensor::kMatrix;
  constexpr auto kValues = SmallTensor::kValues;
  constexpr int kDim = kSmallModelDim;
  const SmallMixer all[] = {
      {"channel_mix",
       {{"inner_dim", 96}},
       {{"key_mix", kValues, 1, kDim, 0.0, 1.0},
        {"receptance_mix", kValues, 1, kDim, 0.0, 1.0},
        {"key", kMatrix, 96, kDim},
        {"receptance", kMatrix, kDim, kDim},
        {"value", kMatrix, kDim, 96}},
       true,
       "channel_mix",
       false,
       /*reach=*/1,
       /*own_inputs=*/1},
      {"channel_mix_alone",
       {{"inner_dim", 96}},
       {{"key_mix", kValues, 1, kDim, 0.0, 1.0},
        {"key", kMatrix, 96, kDim},
        {"value", kMatrix, kDim, 96}},
       true,
       "channel_mix",
       false,
       /*reach=*/1,
       /*own_inputs=*/1},
      {"feed_forward",
       {{"inner_dim", 96}},
       {{"gate", kMatrix, 96, kDim},
        {"up", kMatrix, 96, kDim},
        {"down", kMatrix, kDim, 96}},
       false},
      {"gated_delta",
       {{"value_heads", 4},
        {"key_heads", 2},
        {"key_dim", 16},
        {"value_dim", 24},
        {"conv_width", 4},
        {"norm_epsilon", 1e-6}},
       {{"qkv", kMatrix, 160, kDim},
        {"gate", kMatrix, 96, kDim},
        {"alpha", kMatrix, 4, kDim},
        {"beta", kMatrix, 4, kDim},
        {"conv", kValues, 160, 4, -0.8, 0.8},
        {"dt_bias", kValues, 1, 4, -3.0, 0.0},
        {"decay", kValues, 1, 4, -1.0, -0.1},
        {"norm", kValues, 1, 24, 0.5, 1.5},
        {"output", kMatrix, kDim, 96}}},
      {"mamba",
       {{"inner", 96},
        {"state_dim", 12},
        {"dt_rank", 32},
        {"conv_width", 3},
        {"has_norms", 1},
        {"norm_epsilon", 1e-6}},
       {{"in", kMatrix, 192, kDim},
        {"conv", kValues, 96, 3, -0.8, 0.8},
        {"conv_bias", kValues, 1, 96, -0.1, 0.1},
        {"x", kMatrix, 56, 96},
        {"dt", kMatrix, 96, 32},
        {"dt_bias", kValues, 1, 96, -3.0, 1.0},
        {"dt_norm", kValues, 1, 32, 0.5, 1.5},
        {"b_norm", kValues, 1, 12, 0.5, 1.5},
        {"decay", kValues, 96, 12, -2.0, -0.1},
        {"skip", kValues, 1, 96, -1.0, 1.0},
        {"output", kMatrix, kDim, 96}}},
      {"mamba2",
       {{"heads", 4},
        {"head_dim", 24},
        {"groups", 2},
        {"state_dim", 16},
        {"conv_width", 4},
        {"norm_epsilon", 1e-6},
        {"most_dt", 1.5},
        {"x_scale", 0.7},
        {"output_scale", 1.3}},
       {{"in", kMatrix, 260, kDim},
        {"in_bias", kValues, 1, 260, -0.1, 0.1},
        {"conv", kValues, 160, 4, -0.8, 0.8},
        {"conv_bias", kValues, 1, 160, -0.1, 0.1},
        {"dt_bias", kValues, 1, 4, -3.0, 1.0},
        {"decay", kValues, 1, 4, -1.0, -0.1},
        {"skip", kValues, 1, 4, -1.0, 1.0},
        {"norm", kValues, 2, 48, 0.5, 1.5},
        {"output_bias", kValues, 1, kDim, -0.1, 0.1},
        {"output", kMatrix, kDim, 96}}},
      {"rwkv6",
       {{"heads", 4},
        {"kv_heads", 4},
        {"key_dim", 16},
        {"value_dim", 24},
        {"mix_rank", 32},
        {"decay_rank", 32},
        {"norm_epsilon", 64e-5}},
       {{"mix_x", kValues, 1, kDim, 0.0, 1.0},
        {"mix", kValues, 5, kDim, 0.0, 1.0},
        {"w1", kMatrix, 160, kDim},
        {"w2", kMatrix, 320, 32},
        {"receptance", kMatrix, 64, kDim},
        {"key", kMatrix, 64, kDim},
        {"value", kMatrix, 96, kDim},
        {"gate", kMatrix, 96, kDim},
        {"decay_w1", kMatrix, 32, kDim},
        {"decay_w2", kMatrix, 64, 32},
        {"decay", kValues, 1, 64, -6.0, 0.0},
        {"bonus", kValues, 4, 16, -1.0, 1.0},
        {"norm", kValues, 1, 96, 0.5, 1.5},
        {"norm_bias", kValues, 1, 96, -0.5, 0.5},
        {"output", kMatrix, kDim, 96}}},
      {"rwkv6_shared",
       {{"heads", 4},
        {"kv_heads", 2},
        {"key_dim", 16},
        {"value_dim", 16},
        {"mix_rank", 32},
        {"decay_rank", 32},
        {"norm_epsilon", 64e-5}},
       {{"mix_x", kValues, 1, kDim, 0.0, 1.0},
        {"mix", kValues, 5, kDim, 0.0, 1.0},
        {"w1", kMatrix, 160, kDim},
        {"w2", kMatrix, 320, 32},
        {"receptance", kMatrix, 64, kDim},
        {"receptance_bias", kValues, 1, 64, -0.5, 0.5},
        {"key", kMatrix, 32, kDim},
        {"value", kMatrix, 32, kDim},
        {"gate", kMatrix, 64, kDim},
        {"decay_w1", kMatrix, 32, kDim},
        {"decay_w2", kMatrix, 64, 32},
        {"decay", kValues, 1, 64, -6.0, 0.0},
        {"output", kMatrix, kDim, 64}},
       true,
       "rwkv6"},
      {"rwkv7", Rwkv7Sizes(0), Rwkv7Tensors(false)},
      {"rwkv7_later", Rwkv7Sizes(32), Rwkv7Tensors(true), true, "rwkv7", true},
      // Queries share keys, values and decays, which are logs of sigmoids.
      {"linear_attention",
       {{"query_heads", 4},
        {"key_heads", 2},
        {"value_heads", 2},
        {"key_dim", 16},
        {"value_dim", 24},
        {"conv_width", 4},
        {"silu_qk", 1},
        {"silu_v", 1},
        {"feature_map", 1},
        {"forget_rank", 32},
        {"decay_divisor", 4},
        {"norm_epsilon", 1e-6}},
       {{"query", kMatrix, 64, kDim},
        {"key", kMatrix, 32, kDim},
        {"value", kMatrix, 48, kDim},
        {"conv", kValues, 144, 4, -0.8, 0.8},
        {"forget_a", kMatrix, 32, kDim},
        {"forget_b", kMatrix, 32, 32},
        {"forget_b_bias", kValues, 1, 32, -1.0, 2.0},
        {"gate", kMatrix, 96, kDim},
        {"norm", kValues, 1, 24, 0.5, 1.5},
        {"output", kMatrix, kDim, 96}}},
      // Values share queries and keys; a delta rule with a decay per channel.
      {"linear_attention_kda",
       {{"key_heads", 2},
        {"value_heads", 4},
        {"key_dim", 16},
        {"value_dim", 24},
        {"conv_width", 3},
        {"silu_qk", 1},
        {"silu_v", 1},
        {"qk_norm", 1},
        {"delta", 1},
        {"beta_scale", 2},
        {"forget_rank", 32},
        {"gate_rank", 32},
        {"sigmoid_gate", 1},
        {"norm_epsilon", 1e-6}},
       {{"query", kMatrix, 32, kDim},
        {"key", kMatrix, 32, kDim},
        {"value", kMatrix, 96, kDim},
        {"conv", kValues, 160, 3, -0.8, 0.8},
        {"forget_a", kMatrix, 32, kDim},
        {"forget_b", kMatrix, 64, 32},
        {"dt_bias", kValues, 1, 64, -3.0, 0.0},
        {"decay", kValues, 1, 4, -1.0, -0.1},
        {"beta", kMatrix, 4, kDim},
        {"gate_a", kMatrix, 32, kDim},
        {"gate_b", kMatrix, 96, 32},
        {"gate_b_bias", kValues, 1, 96, -0.5, 0.5},
        {"norm", kValues, 1, 24, 0.5, 1.5},
        {"output", kMatrix, kDim, 96}},
       true,
       "linear_attention"},
      // Positions, a decay of each reader's own, no convolution, no gate.
      {"linear_attention_retention",
       {{"query_heads", 4},
        {"key_heads", 2},
        {"value_heads", 2},
        {"key_dim", 16},
        {"value_dim", 24},
        {"rope_base", 1e4},
        {"retention", 1},
        {"norm_epsilon", 1e-6}},
       {{"query", kMatrix, 64, kDim},
        {"key", kMatrix, 32, kDim},
        {"value", kMatrix, 48, kDim},
        {"norm", kValues, 1, 24, 0.5, 1.5},
        {"output", kMatrix, kDim, 96}},
       true,
       "linear_attention"},
      // Keys that are what is forgotten, one norm of all heads.
      {"linear_attention_forgetting",
       {{"key_heads", 4},
        {"value_heads", 4},
        {"key_dim", 16},
        {"value_dim", 16},
        {"silu_qk", 1},
        {"forgets_by_key", 1},
        {"whole_norm", 1},
        {"norm_epsilon", 1e-6}},
       {{"query", kMatrix, 64, kDim},
        {"key", kMatrix, 64, kDim},
        {"value", kMatrix, 64, kDim},
        {"lower_bound", kValues, 1, 64, 0.1, 0.9},
        {"norm", kValues, 1, 64, 0.5, 1.5},
        {"output", kMatrix, kDim, 64}},
       true,
       "linear_attention"},
      // A delta rule without decay, of queries and keys with a sum of one.
      {"linear_attention_delta",
       {{"key_heads", 2},
        {"value_heads", 2},
        {"key_dim", 16},
        {"value_dim", 32},
        {"conv_width", 4},
        {"silu_v", 1},
        {"feature_map", 1},
        {"qk_norm", 2},
        {"delta", 1},
        {"norm_epsilon", 1e-6}},
       {{"query", kMatrix, 32, kDim},
        {"key", kMatrix, 32, kDim},
        {"value", kMatrix, 64, kDim},
        {"conv", kValues, 128, 4, -0.8, 0.8},
        {"norm", kValues, 1, 32, 0.5, 1.5},
        {"output", kMatrix, kDim, 64}},
       true,
       "linear_attention"},
      {"short_conv",
       {{"conv_width", 3}},
       {{"input", kMatrix, 3 * kDim, kDim},
        {"conv", kValues, kDim, 3, -0.8, 0.8},
        {"conv_bias", kValues, 1, kDim, -0.5, 0.5},
        {"output", kMatrix, kDim, kDim}},
       true,
       "short_conv",
       false,
       /*reach=*/2},
      {"softmax_attention",
       {{"query_heads", 4},
        {"kv_heads", 2},
        {"key_dim", 32},
        {"rotary_dim", 8},
        {"rope_base", 1e4},
        {"has_gate", 1},
        {"norm_epsilon", 1e-6}},
       {{"query", kMatrix, 256, kDim},
        {"key", kMatrix, 64, kDim},
        {"value", kMatrix, 64, kDim},
        {"query_norm", kValues, 1, 32, 0.5, 1.5},
        {"key_norm", kValues, 1, 32, 0.5, 1.5},
        {"output", kMatrix, kDim, 128}}},
  };
  for (const SmallMixer& mixer : all) {
    if (name == mixer.name) return mixer;
  }
  ADD_FAILURE() << "no small mixer for the key " << name;
  return all[0];
}

}  // namespace fastweights
