// SPDX-License-Identifier: MIT

// Gated linear attention (Yang et al. 2023) as flash-linear-attention's
// checkpoints have it: docs/checkpoints.md.

#include "architectures/architecture.h"
#include "architectures/linear_parts.h"
#include "architectures/parts.h"

namespace fastweights {
namespace {

MixerPlan LinearLayer(HyperParameters& keys, const TensorTable& tensors,
                      const std::string& block) {
  MixerPlan plan = LinearAttentionPart(keys, tensors, block,
                                       WithDims(keys, SharedValueHeads(keys)));
  AddFeatureMap(keys, &plan);
  AddLowRank(tensors, "forget", block + "ssm_f", &plan);
  plan.sizes["decay_divisor"] =
      keys.Number("attention.decay_divisor", 1e-3, 1e6, 16);
  if (keys.Has("attention.decay_floor")) {
    plan.sizes["decay_floor"] = keys.Number("attention.decay_floor", -1e30, 0);
  }
  return plan;
}

}  // namespace

Result<ModelPlan> PlanGla(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "gla.");
  return PlanLinearModel(keys, tensors, LinearLayer);
}

}  // namespace fastweights
