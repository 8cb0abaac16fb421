// SPDX-License-Identifier: MIT

// RWKV-7 (GGUF architecture rwkv7): time mixing and channel mixing behind layer
// norms. And Qwen models whose attention it replaced (arwkv7): RMS norms,
// SwiGLUs, and time mixing without a gate or a norm where a file has none.

#include "architectures/architecture.h"
#include "architectures/hyper_parameters.h"
#include "architectures/rwkv_parts.h"

namespace fastweights {
namespace {

MixerPlan TimeMix(HyperParameters& keys, const TensorTable& tensors,
                  const std::string& block, bool is_first) {
  const int heads = RwkvHeads(keys);
  const auto rank = [&](const char* name) {
    return keys.Size(std::string("attention.") + name + "_lora_rank", 1,
                     kMaxDim);
  };
  MixerPlan plan = {
      .mixer = "rwkv7",
      .sizes = {{"heads", heads},
                {"head_dim", keys.Size("wkv.head_size", 4, kMaxHeadDim)},
                {"decay_rank", rank("decay")},
                {"rate_rank", rank("iclr")},
                {"value_rank", is_first ? 0 : rank("value_residual_mix")},
                {"norm_epsilon", keys.Number("attention.group_norm_epsilon",
                                             1e-12, 0.1, kRwkvHeadEpsilon)}},
      .tensors = {{"mix", block + "time_mix_lerp_fused.weight"}},
  };
  AddTimeMix(block,
             {"receptance", "key", "value", "output", "w0", "w1", "w2", "a0",
              "a1", "a2", "k_k", "k_a", "r_k"},
             &plan);
  // The first layer's v0, v1 and v2 are there for nobody.
  if (!is_first) AddTimeMix(block, {"v0", "v1", "v2"}, &plan);
  const bool has_gate = tensors.contains(block + "time_mix_g1.weight");
  plan.sizes["gate_rank"] = has_gate ? rank("gate") : 0;
  if (has_gate) AddTimeMix(block, {"g1", "g2"}, &plan);
  AddTimeMixIfThere(tensors, block, &plan);
  return plan;
}

}  // namespace

Result<ModelPlan> PlanRwkv7(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "rwkv7.");
  const int layers = keys.Size("block_count", 1, kMaxBlocks);
  keys.Size("token_shift_count", 2, 2, 2);
  ModelPlan plan = RwkvModel(keys, tensors);
  for (int i = 0; i < layers && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    plan.blocks.push_back(RwkvBlock(keys, tensors, block + "attn_norm",
                                    TimeMix(keys, tensors, block, i == 0)));
    plan.blocks.push_back(RwkvBlock(keys, tensors, block + "attn_norm_2",
                                    ChannelMixPart(keys, tensors, block)));
  }
  if (keys.error()) return *keys.error();
  return plan;
}

Result<ModelPlan> PlanArwkv7(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "arwkv7.");
  const int layers = keys.Size("block_count", 1, kMaxBlocks);
  keys.Size("token_shift_count", 1, 1);
  ModelPlan plan = BaseModel(keys, tensors);
  for (int i = 0; i < layers && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    AddLayer(keys, tensors, i, TimeMix(keys, tensors, block, i == 0),
             "ffn_norm.weight", &plan);
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
