// SPDX-License-Identifier: MIT

// Falcon-H1 models (GGUF architecture falcon-h1): in each layer attention and
// Mamba-2 side by side, of the same input, then a SwiGLU. Files of llama.cpp
// have the model's multipliers in their weights; the keys that a safetensors
// checkpoint gives for them are in docs/checkpoints.md.

#include "architectures/architecture.h"
#include "architectures/mamba_parts.h"

namespace fastweights {
namespace {

constexpr double kMost = 1e6;

double Factor(HyperParameters& keys, const std::string& name) {
  return keys.Number(name, -kMost, kMost, 1);
}

MixerPlan Attention(HyperParameters& keys, const TensorTable& tensors,
                    const std::string& block, size_t layer) {
  MixerPlan plan = SoftmaxAttentionPart(keys, tensors, block, layer);
  keys.Number("rope.freq_base", 1, 1e12);
  if (keys.Has("attention.scale")) {
    plan.sizes["scale"] = Factor(keys, "attention.scale");
  }
  plan.sizes["output_scale"] = Factor(keys, "attention.output_scale");
  return plan;
}

MixerPlan Mamba2(HyperParameters& keys, const TensorTable& tensors,
                 const std::string& block) {
  MixerPlan plan = Mamba2Part(keys, tensors, block);
  size_t i = 0;
  for (const char* name :
       {"z_scale", "x_scale", "b_scale", "c_scale", "dt_scale"}) {
    plan.sizes[name] = keys.Number(
        "ssm.input_scales", -kMost, kMost,
        keys.Has("ssm.input_scales") ? std::nullopt : std::optional<double>(1),
        i++);
  }
  plan.sizes["output_scale"] = Factor(keys, "ssm.output_scale");
  return plan;
}

}  // namespace

Result<ModelPlan> PlanFalconH1(const Config& config,
                               const TensorTable& tensors) {
  HyperParameters keys(config, "falcon-h1.");
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  ModelPlan plan = BaseModel(keys, tensors);
  RefuseUnreadAttention(keys);
  if (tensors.contains("rope_freqs.weight")) {
    keys.RefuseTensor("rope_freqs.weight", "factors of the positions' rates");
  }
  plan.embedding_scale = Factor(keys, "embedding_scale");
  plan.logit_scale = Factor(keys, "logit_scale");
  for (int i = 0; i < blocks && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    BlockPlan mixing = RmsBlock(keys, block + "attn_norm.weight",
                                Attention(keys, tensors, block, i));
    mixing.mixers.push_back(Mamba2(keys, tensors, block));
    plan.blocks.push_back(std::move(mixing));
    MixerPlan feed_forward = FeedForwardPart(keys, tensors, block, i);
    feed_forward.sizes["gate_scale"] = Factor(keys, "feed_forward.gate_scale");
    feed_forward.sizes["down_scale"] =
        Factor(keys, "feed_forward.output_scale");
    // llama.cpp's files leave out ".weight" here.
    const std::string norm = block + "ffn_norm";
    plan.blocks.push_back(
        RmsBlock(keys, tensors.contains(norm) ? norm : norm + ".weight",
                 std::move(feed_forward)));
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
