// SPDX-License-Identifier: MIT

// Kimi Delta Attention (Kimi Team 2025) as flash-linear-attention's checkpoints
// have it: docs/checkpoints.md.

#include "architectures/architecture.h"
#include "architectures/linear_parts.h"
#include "architectures/parts.h"

namespace fastweights {
namespace {

MixerPlan LinearLayer(HyperParameters& keys, const TensorTable& tensors,
                      const std::string& block) {
  MixerPlan plan = GatedDeltaPart(keys, tensors, block);
  plan.tensors.erase("alpha");
  AddLowRank(tensors, "forget", block + "ssm_f", &plan);
  AddLowRank(tensors, "gate", block + "ssm_g", &plan);
  plan.sizes["sigmoid_gate"] = 1;
  if (keys.Has("attention.decay_lower_bound")) {
    plan.sizes["decay_bound"] =
        keys.Number("attention.decay_lower_bound", -1e4, -1e-6);
  }
  return plan;
}

}  // namespace

Result<ModelPlan> PlanKda(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "kda.");
  return PlanLinearModel(keys, tensors, LinearLayer);
}

}  // namespace fastweights
