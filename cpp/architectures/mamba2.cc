// SPDX-License-Identifier: MIT

// Mamba-2 models (GGUF architecture mamba2): a Mamba-2 layer to a block, no
// feed-forward, no attention. Codestral's are grouped.

#include "architectures/architecture.h"
#include "architectures/mamba_parts.h"

namespace fastweights {

Result<ModelPlan> PlanMamba2(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "mamba2.");
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  ModelPlan plan = BaseModel(keys, tensors);
  for (int i = 0; i < blocks && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    MixerPlan mixer = Mamba2Part(keys, tensors, block);
    // Only where a norm is optional is its absence not a damaged file.
    mixer.tensors["norm"] = block + "ssm_norm.weight";
    plan.blocks.push_back(
        RmsBlock(keys, block + "attn_norm.weight", std::move(mixer)));
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
