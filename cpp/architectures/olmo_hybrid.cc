// SPDX-License-Identifier: MIT

// OLMo hybrid models, whose checkpoints are safetensors (docs/checkpoints.md):
// gated delta layers with norms before them, and attention layers, where
// head_count_kv, a list, is not zero, with norms of what is added; each
// followed by a SwiGLU. Norms of queries and keys are of all heads together.

#include "architectures/architecture.h"
#include "architectures/linear_parts.h"
#include "architectures/parts.h"

namespace fastweights {
namespace {

MixerPlan GatedDelta(HyperParameters& keys, const TensorTable& tensors,
                     const std::string& block) {
  const int key_heads = keys.Size("ssm.group_count", 1, kMaxHeads);
  const int value_heads = keys.Size("ssm.time_step_rank", 1, kMaxHeads);
  const int inner = keys.Size("ssm.inner_size", 4, kMaxDim);
  keys.Require(inner % value_heads == 0, "ssm.inner_size",
               "is not a multiple of the number of value heads");
  MixerPlan plan = LinearAttentionPart(
      keys, tensors, block,
      {.queries = key_heads,
       .keys = key_heads,
       .values = value_heads,
       .key_dim = keys.Size("ssm.state_size", 4, kMaxHeadDim),
       .value_dim = inner / value_heads});
  AddGatedDelta(keys, block, &plan);
  return plan;
}

MixerPlan SoftmaxAttention(HyperParameters& keys, const TensorTable& tensors,
                           const std::string& block, size_t layer) {
  MixerPlan plan = SoftmaxAttentionPart(keys, tensors, block, layer);
  NormQueriesAndKeys(block, &plan);
  plan.sizes["whole_norm"] = 1;
  return plan;
}

// What is added to the stream is normalised, what is read of it is not.
BlockPlan PostNormBlock(HyperParameters& keys, const std::string& norm,
                        MixerPlan mixer) {
  BlockPlan block = RmsBlock(keys, norm, std::move(mixer));
  std::swap(block.norm, block.output_norm);
  return block;
}

}  // namespace

Result<ModelPlan> PlanOlmoHybrid(const Config& config,
                                 const TensorTable& tensors) {
  HyperParameters keys(config, "olmo_hybrid.");
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  ModelPlan plan = BaseModel(keys, tensors);
  RefuseUnreadAttention(keys);
  for (int i = 0; i < blocks && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    const bool linear = keys.Size("attention.head_count_kv", 0, kMaxHeads,
                                  std::nullopt, i) == 0;
    MixerPlan mixer = linear ? GatedDelta(keys, tensors, block)
                             : SoftmaxAttention(keys, tensors, block, i);
    MixerPlan feed_forward = FeedForwardPart(keys, tensors, block, i);
    if (linear) {
      plan.blocks.push_back(
          RmsBlock(keys, block + "attn_norm.weight", std::move(mixer)));
      plan.blocks.push_back(
          RmsBlock(keys, block + "ffn_norm.weight", std::move(feed_forward)));
    } else {
      plan.blocks.push_back(PostNormBlock(
          keys, block + "post_attention_norm.weight", std::move(mixer)));
      plan.blocks.push_back(PostNormBlock(keys, block + "post_ffw_norm.weight",
                                          std::move(feed_forward)));
    }
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
