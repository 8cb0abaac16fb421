// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace fastweights {

// The models of tests/golden/models: random weights, real shapes.
inline const char* const kGoldenModels[] = {
    "qwen3_5",
    "qwen3_5_kv_equal",
    "qwen3_5_linear",
    "lfm2",
    "delta_net",
    "gated_deltanet",
    "gla",
    "hgrn2",
    "kda",
    "olmo_hybrid",
    "retnet",
    "arwkv7",
    "rwkv6_k1",
    "rwkv6qwen2",
    "rwkv7_h32",
    "rwkv7_trained",
    "falcon_h1",
    "falcon_mamba_untied",
    "granite_moe_hybrid",
    "jamba_tied",
    "mamba",
    "mamba2",
    "mamba2_g2",
    "nemotron_h",
};

// The one of training has its matrices in the type of training.
inline std::string GoldenModelFile(const std::string& name) {
  return "models/" + name +
         (name == "rwkv7_trained" ? "/model-bf16.gguf" : "/model-f32.gguf");
}

}  // namespace fastweights
