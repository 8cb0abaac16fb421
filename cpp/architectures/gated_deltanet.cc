// SPDX-License-Identifier: MIT

// Gated DeltaNet (Yang et al. 2024) as flash-linear-attention's checkpoints
// have it: docs/checkpoints.md.

#include "architectures/architecture.h"
#include "architectures/linear_parts.h"
#include "architectures/parts.h"

namespace fastweights {
namespace {

MixerPlan LinearLayer(HyperParameters& keys, const TensorTable& tensors,
                      const std::string& block) {
  const int heads = keys.Size("attention.head_count", 1, kMaxHeads);
  const int values =
      keys.Size("attention.value_head_count", 1, kMaxHeads, heads);
  MixerPlan plan = LinearAttentionPart(
      keys, tensors, block,
      WithDims(keys, {.queries = heads, .keys = heads, .values = values}));
  AddGatedDelta(keys, block, &plan);
  return plan;
}

}  // namespace

Result<ModelPlan> PlanGatedDeltaNet(const Config& config,
                                    const TensorTable& tensors) {
  HyperParameters keys(config, "gated_deltanet.");
  return PlanLinearModel(keys, tensors, LinearLayer);
}

}  // namespace fastweights
