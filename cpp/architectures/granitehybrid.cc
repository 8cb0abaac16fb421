// SPDX-License-Identifier: MIT

// Granite 4 H models without experts, and Bamba (GGUF architecture
// granitehybrid): Mamba-2 layers and attention layers in any pattern, each
// followed by a SwiGLU; factors of the embedding, of what each block adds and
// of q k, and a divisor of the logits. Positions only where
// rope.scaling.finetuned is not false.

#include "architectures/architecture.h"
#include "architectures/mamba_parts.h"

namespace fastweights {
namespace {

// A factor that files also leave out by a zero.
double Factor(HyperParameters& keys, const std::string& name) {
  const double factor = keys.Number(name, 0, 1e6, 1);
  return factor == 0 ? 1 : factor;
}

MixerPlan Attention(HyperParameters& keys, const TensorTable& tensors,
                    const std::string& block, size_t layer) {
  MixerPlan plan = SoftmaxAttentionPart(keys, tensors, block, layer);
  if (keys.Number("attention.scale", 0, 1e6, 0) != 0) {
    plan.sizes["scale"] = keys.Number("attention.scale", 0, 1e6);
  }
  if (keys.Size("rope.scaling.finetuned", 0, 1, 1) == 0) {
    plan.sizes.erase("rotary_dim");
  } else {
    keys.Number("rope.freq_base", 1, 1e12);
    plan.sizes["rope_neighbours"] = 1;
  }
  return plan;
}

}  // namespace

Result<ModelPlan> PlanGraniteHybrid(const Config& config,
                                    const TensorTable& tensors) {
  HyperParameters keys(config, "granitehybrid.");
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  // The converter keeps Granite's own feed-forward under the experts' key.
  const char* const shared = "expert_shared_feed_forward_length";
  const bool is_shared = keys.Number(shared, 0, kMaxDim, 0) > 0;
  ModelPlan plan = BaseModel(keys, tensors);
  RefuseUnreadAttention(keys);
  if (tensors.contains("rope_freqs.weight")) {
    keys.RefuseTensor("rope_freqs.weight", "factors of the positions' rates");
  }
  plan.embedding_scale = Factor(keys, "embedding_scale");
  plan.logit_scale = 1 / Factor(keys, "logit_scale");
  const double residual_scale = Factor(keys, "residual_scale");
  const auto add = [&](const std::string& norm, MixerPlan mixer) {
    plan.blocks.push_back(RmsBlock(keys, norm, std::move(mixer)));
    plan.blocks.back().residual_scale = residual_scale;
  };
  for (int i = 0; i < blocks && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    RefuseExperts(keys, tensors, block);
    add(block + "attn_norm.weight", tensors.contains(block + "ssm_a")
                                        ? Mamba2Part(keys, tensors, block)
                                        : Attention(keys, tensors, block, i));
    add(block + "ffn_norm.weight",
        FeedForwardOf(tensors, FeedForwardKind::kSwiGlu, block,
                      keys.Size(is_shared ? shared : "feed_forward_length", 1,
                                kMaxDim, std::nullopt, i)));
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
