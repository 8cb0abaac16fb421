// SPDX-License-Identifier: MIT

// DeltaNet (Yang et al. 2024) as flash-linear-attention's checkpoints have it:
// docs/checkpoints.md.

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
  const int activation = keys.Choice("attention.qk_activation",
                                     {"silu", "identity", "elu", "relu"});
  plan.sizes["silu_v"] = 1;
  plan.sizes["silu_qk"] = activation == 0;
  plan.sizes["feature_map"] = activation == 0 ? 0 : activation - 1;
  plan.sizes["qk_norm"] = 1 + keys.Choice("attention.qk_norm", {"l2", "sum"});
  plan.sizes["delta"] = 1;
  plan.sizes["beta_scale"] = keys.Number("attention.beta_scale", 1, 2, 1);
  return plan;
}

}  // namespace

Result<ModelPlan> PlanDeltaNet(const Config& config,
                               const TensorTable& tensors) {
  HyperParameters keys(config, "delta_net.");
  return PlanLinearModel(keys, tensors, LinearLayer);
}

}  // namespace fastweights
