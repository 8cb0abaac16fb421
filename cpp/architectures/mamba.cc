// SPDX-License-Identifier: MIT

// Mamba models (GGUF architecture mamba), Falcon-Mamba's among them: a Mamba
// layer to a block, no feed-forward, no attention.

#include "architectures/architecture.h"
#include "architectures/mamba_parts.h"

namespace fastweights {

Result<ModelPlan> PlanMamba(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "mamba.");
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  ModelPlan plan = BaseModel(keys, tensors);
  for (int i = 0; i < blocks && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    plan.blocks.push_back(RmsBlock(keys, block + "attn_norm.weight",
                                   MambaPart(keys, tensors, block)));
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
