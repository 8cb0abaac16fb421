// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/plan.h"

namespace fastweights {

// A small layer for each key of mixers.inc, for the tests of what mixers have
// in common. A new key needs an entry here.

inline constexpr int kSmallModelDim = 64;

struct SmallTensor {
  enum Kind { kMatrix, kValues };

  const char* role;
  Kind kind;
  int rows;
  int columns;
  double low = 0.0, high = 0.0;  // of values
};

struct SmallMixer {
  const char* key;
  std::map<std::string, double> sizes;
  std::vector<SmallTensor> tensors;  // the output's matrix last
  bool mixes_tokens = true;          // a feed-forward does not

  // Every tensor has its role for a name.
  MixerPlan Plan() const {
    MixerPlan plan;
    plan.mixer = key;
    plan.sizes = sizes;
    for (const SmallTensor& tensor : tensors) {
      plan.tensors[tensor.role] = tensor.role;
    }
    return plan;
  }
};

inline SmallMixer FindSmallMixer(const std::string& key) {
  constexpr auto kMatrix = SmallTensor::kMatrix;
  constexpr auto kValues = SmallTensor::kValues;
  constexpr int kDim = kSmallModelDim;
  const SmallMixer all[] = {
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
    if (key == mixer.key) return mixer;
  }
  ADD_FAILURE() << "no small mixer for the key " << key;
  return all[0];
}

}  // namespace fastweights
