// SPDX-License-Identifier: MIT

// HGRN2 (Qin et al. 2024) as flash-linear-attention's checkpoints have it:
// docs/checkpoints.md. What is forgotten is the key.

#include "architectures/architecture.h"
#include "architectures/linear_parts.h"
#include "architectures/parts.h"

namespace fastweights {
namespace {

MixerPlan LinearLayer(HyperParameters& keys, const TensorTable& tensors,
                      const std::string& block) {
  const int heads = keys.Size("attention.head_count", 1, kMaxHeads);
  MixerPlan plan = LinearAttentionPart(
      keys, tensors, block,
      WithDims(keys, {.queries = heads, .keys = heads, .values = heads}));
  plan.tensors["key"] = block + "ssm_f.weight";
  AddIfThere(tensors, "lower_bound", block + "ssm_lower_bound", &plan);
  plan.sizes["silu_qk"] = 1;
  plan.sizes["silu_v"] = 0;
  plan.sizes["forgets_by_key"] = 1;
  plan.sizes["whole_norm"] = 1;
  return plan;
}

}  // namespace

Result<ModelPlan> PlanHgrn2(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "hgrn2.");
  return PlanLinearModel(keys, tensors, LinearLayer);
}

}  // namespace fastweights
