// SPDX-License-Identifier: MIT

// RetNet (Sun et al. 2023) as flash-linear-attention's checkpoints have it:
// docs/checkpoints.md.

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
  plan.sizes["rope_base"] = keys.Number("rope.freq_base", 1, 1e12);
  plan.sizes["retention"] = 1;
  return plan;
}

}  // namespace

Result<ModelPlan> PlanRetNet(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "retnet.");
  return PlanLinearModel(keys, tensors, LinearLayer);
}

}  // namespace fastweights
