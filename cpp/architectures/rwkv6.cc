// SPDX-License-Identifier: MIT

// RWKV-6 (GGUF architecture rwkv6): time mixing and channel mixing behind layer
// norms; in checkpoints of flash-linear-attention keys and values may differ in
// width. And Qwen2 models whose attention it replaced (rwkv6qwen2): RMS norms
// and SwiGLUs.

#include <cmath>
#include <span>
#include <utility>

#include "architectures/architecture.h"
#include "architectures/hyper_parameters.h"
#include "architectures/rwkv_parts.h"

namespace fastweights {
namespace {

// More halvings of the residual stream than any model has layers for.
constexpr int kMostHalvings = 32;

// A head's widths; wkv.head_size where keys and values have one.
struct Heads {
  int count, key_dim, value_dim;
};

Heads HeadsOf(HyperParameters& keys) {
  if (!keys.Has("attention.key_length")) {
    const int heads = RwkvHeads(keys);
    const int dim = keys.Size("wkv.head_size", 4, kMaxHeadDim);
    return {heads, dim, dim};
  }
  const Heads heads = {keys.Size("attention.head_count", 1, kMaxHeads),
                       keys.Size("attention.key_length", 4, kMaxHeadDim),
                       keys.Size("attention.value_length", 4, kMaxHeadDim)};
  keys.Require(heads.key_dim % 4 == 0, "attention.key_length",
               "is not a multiple of 4");
  keys.Require(heads.value_dim % 4 == 0, "attention.value_length",
               "is not a multiple of 4");
  keys.Require(heads.count * heads.key_dim <= kMaxDim &&
                   heads.count * heads.value_dim <= kMaxDim,
               "attention.head_count", "gives too many channels");
  return heads;
}

MixerPlan TimeMix(HyperParameters& keys, const TensorTable& tensors,
                  const std::string& block, int kv_heads) {
  const Heads heads = HeadsOf(keys);
  MixerPlan plan = {
      .mixer = "rwkv6",
      .sizes = {{"heads", heads.count},
                {"kv_heads", kv_heads == 0 ? heads.count : kv_heads},
                {"key_dim", heads.key_dim},
                {"value_dim", heads.value_dim},
                {"mix_rank", keys.Size("time_mix_extra_dim", 1, kMaxDim / 5)},
                {"decay_rank", keys.Size("time_decay_extra_dim", 1, kMaxDim)},
                {"norm_epsilon", keys.Number("attention.group_norm_epsilon",
                                             1e-12, 0.1, kRwkvHeadEpsilon)}},
      .tensors = {{"mix_x", block + "time_mix_lerp_x.weight"},
                  {"mix", block + "time_mix_lerp_fused.weight"}},
  };
  keys.Require(kv_heads == 0 || heads.count % kv_heads == 0,
               "attention.head_count_kv", "does not divide the heads");
  AddTimeMix(block,
             {"w1", "w2", "receptance", "key", "value", "gate", "output",
              "decay", "decay_w1", "decay_w2"},
             &plan);
  AddIfThere(tensors, "gate_bias", block + "time_mix_gate.bias", &plan);
  AddTimeMixIfThere(tensors, block, &plan);
  return plan;
}

}  // namespace

Result<ModelPlan> PlanRwkv6(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "rwkv6.");
  const int layers = keys.Size("block_count", 1, kMaxBlocks);
  keys.Size("token_shift_count", 2, 2, 2);
  // Each so many layers a file of halved weights halves the residual stream.
  // Here that stays whole, so what is added to it and the epsilons of its norms
  // grow.
  const int rescale_every =
      keys.Size("rescale_every_n_layers", 0, kMaxBlocks, 0);
  const auto halvings = [&](int layer) {
    return rescale_every == 0 ? 0 : layer / rescale_every;
  };
  keys.Require(halvings(layers) <= kMostHalvings, "rescale_every_n_layers",
               "is too small for so many layers");
  ModelPlan plan = RwkvModel(keys, tensors);
  plan.output_norm.epsilon *= std::pow(4.0, halvings(layers));
  for (int i = 0; i < layers && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    MixerPlan time_mix = TimeMix(keys, tensors, block, 0);
    time_mix.tensors["bonus"] = block + "time_mix_first.weight";
    plan.blocks.push_back(
        RwkvBlock(keys, tensors, block + "attn_norm", std::move(time_mix)));
    plan.blocks.push_back(RwkvBlock(keys, tensors, block + "attn_norm_2",
                                    ChannelMixPart(keys, tensors, block)));
    for (BlockPlan& added : std::span(plan.blocks).last(2)) {
      added.residual_scale = std::pow(2.0, halvings(i));
      added.norm.epsilon *= std::pow(4.0, halvings(i));
    }
  }
  if (keys.error()) return *keys.error();
  return plan;
}

Result<ModelPlan> PlanRwkv6Qwen2(const Config& config,
                                 const TensorTable& tensors) {
  HyperParameters keys(config, "rwkv6qwen2.");
  const int layers = keys.Size("block_count", 1, kMaxBlocks);
  keys.Size("token_shift_count", 1, 1);
  keys.Size("rescale_every_n_layers", 0, 0, 0);
  const int kv_heads = keys.Size("attention.head_count_kv", 0, kMaxHeads, 0);
  ModelPlan plan = BaseModel(keys, tensors);
  for (int i = 0; i < layers && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    MixerPlan time_mix = TimeMix(keys, tensors, block, kv_heads);
    // A file with a bonus would be RWKV-6 proper, with a norm of heads.
    keys.Require(!tensors.contains(block + "time_mix_first.weight"),
                 "block_count", "counts layers with time_mix_first");
    AddLayer(keys, tensors, i, std::move(time_mix), "ffn_norm.weight", &plan);
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
