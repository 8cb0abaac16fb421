// SPDX-License-Identifier: MIT

// Nemotron-H models without experts (GGUF architectures nemotron_h and, for
// some files without any, nemotron_h_moe): blocks of one part each, a Mamba-2
// layer, attention without positions or a feed-forward of relu squared. A
// trailing block for multi-token prediction is skipped.

#include "architectures/architecture.h"
#include "architectures/mamba_parts.h"

namespace fastweights {
namespace {

// transformers holds dt above time_step_min where it reads a text; all
// published configurations have this one, and GGUF has no key for it.
constexpr double kLeastDt = 0.001;

MixerPlan Part(HyperParameters& keys, const TensorTable& tensors,
               const std::string& block, size_t layer) {
  // Of what a block is files tell in several ways; its tensors in one.
  if (tensors.contains(block + "ssm_a")) {
    MixerPlan plan = Mamba2Part(keys, tensors, block);
    plan.tensors["norm"] = block + "ssm_norm.weight";
    if (!keys.Has("ssm.time_step_limit")) plan.sizes["least_dt"] = kLeastDt;
    return plan;
  }
  const auto up = tensors.find(block + "ffn_up.weight");
  if (up != tensors.end()) {
    return FeedForwardOf(tensors, FeedForwardKind::kReluSquared, block,
                         up->second.rows);
  }
  MixerPlan plan = SoftmaxAttentionPart(keys, tensors, block, layer);
  plan.sizes.erase("rotary_dim");
  if (keys.Number("attention.scale", 0, 1e6, 0) != 0) {
    plan.sizes["scale"] = keys.Number("attention.scale", 0, 1e6);
  }
  return plan;
}

}  // namespace

Result<ModelPlan> PlanNemotronH(const Config& config,
                                const TensorTable& tensors) {
  HyperParameters keys(config, *config.Text("general.architecture") + ".");
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  const int predict = keys.Size("nextn_predict_layers", 0, blocks - 1, 0);
  ModelPlan plan = BaseModel(keys, tensors);
  RefuseUnreadAttention(keys);
  for (int i = 0; i < blocks - predict && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    RefuseExperts(keys, tensors, block);
    plan.blocks.push_back(RmsBlock(keys, block + "attn_norm.weight",
                                   Part(keys, tensors, block, i)));
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
