// SPDX-License-Identifier: MIT
#include "architectures/rwkv_parts.h"

#include <utility>

namespace fastweights {

namespace {

// Checkpoints may go without biases.
NormPlan RwkvNorm(HyperParameters& keys, const TensorTable& tensors,
                  const std::string& name) {
  NormPlan norm = LayerNormOf(keys, name);
  if (!tensors.contains(norm.bias)) norm.bias.clear();
  return norm;
}

}  // namespace

ModelPlan RwkvModel(HyperParameters& keys, const TensorTable& tensors) {
  ModelPlan plan =
      BaseModel(keys, tensors, RwkvNorm(keys, tensors, "output_norm"));
  plan.embedding_norm = RwkvNorm(keys, tensors, "token_embd_norm");
  return plan;
}

BlockPlan RwkvBlock(HyperParameters& keys, const TensorTable& tensors,
                    const std::string& norm, MixerPlan mixer) {
  BlockPlan block;
  block.norm = RwkvNorm(keys, tensors, norm);
  block.mixers.push_back(std::move(mixer));
  return block;
}

int RwkvHeads(HyperParameters& keys) {
  const int model_dim = keys.Size("embedding_length", 4, kMaxDim);
  const int head_dim = keys.Size("wkv.head_size", 4, kMaxHeadDim);
  keys.Require(head_dim % 4 == 0 && model_dim % head_dim == 0, "wkv.head_size",
               "is not a multiple of 4 that divides the embedding's length");
  return model_dim / head_dim;
}

void AddTimeMix(const std::string& block,
                std::initializer_list<const char*> roles, MixerPlan* plan) {
  for (const char* role : roles) {
    plan->tensors[role] = block + "time_mix_" + role + ".weight";
  }
}

void AddTimeMixIfThere(const TensorTable& tensors, const std::string& block,
                       MixerPlan* plan) {
  AddIfThere(tensors, "norm", block + "time_mix_ln.weight", plan);
  AddIfThere(tensors, "norm_bias", block + "time_mix_ln.bias", plan);
  for (const std::string role : {"receptance", "key", "value", "output"}) {
    AddIfThere(tensors, (role + "_bias").c_str(),
               block + "time_mix_" + role + ".bias", plan);
  }
}

MixerPlan ChannelMixPart(HyperParameters& keys, const TensorTable& tensors,
                         const std::string& block) {
  MixerPlan plan = {
      .mixer = "channel_mix",
      .sizes = {{"inner_dim", keys.Size("feed_forward_length", 1, kMaxDim)}},
      .tensors = {{"key_mix", block + "channel_mix_lerp_k.weight"},
                  {"key", block + "channel_mix_key.weight"},
                  {"value", block + "channel_mix_value.weight"}},
  };
  AddIfThere(tensors, "receptance", block + "channel_mix_receptance.weight",
             &plan);
  if (plan.Has("receptance")) {
    plan.tensors["receptance_mix"] = block + "channel_mix_lerp_r.weight";
  }
  return plan;
}

}  // namespace fastweights
