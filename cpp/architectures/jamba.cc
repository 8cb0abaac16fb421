// SPDX-License-Identifier: MIT

// Jamba models without experts (GGUF architecture jamba): Mamba layers with
// norms of dt, B and C, and attention layers without positions, each followed
// by a SwiGLU.

#include "architectures/architecture.h"
#include "architectures/mamba_parts.h"

namespace fastweights {

Result<ModelPlan> PlanJamba(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "jamba.");
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  ModelPlan plan = BaseModel(keys, tensors);
  RefuseUnreadAttention(keys);
  for (int i = 0; i < blocks && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    RefuseExperts(keys, tensors, block);
    MixerPlan mixer;
    if (tensors.contains(block + "ssm_a")) {
      mixer = MambaPart(keys, tensors, block);
      mixer.sizes["has_norms"] = 1;
      mixer.tensors["dt_norm"] = block + "ssm_dt_norm.weight";
      mixer.tensors["b_norm"] = block + "ssm_b_norm.weight";
      mixer.tensors["c_norm"] = block + "ssm_c_norm.weight";
    } else {
      mixer = SoftmaxAttentionPart(keys, tensors, block, i);
      mixer.sizes.erase("rotary_dim");
    }
    AddLayer(keys, tensors, i, std::move(mixer), "ffn_norm.weight", &plan);
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
