// SPDX-License-Identifier: MIT

// Gated DeltaNet (Yang et al. 2024) as flash-linear-attention's checkpoints
// have it: docs/checkpoints.md.

#include "architectures/architecture.h"
#include "architectures/linear_parts.h"

namespace fastweights {

Result<ModelPlan> PlanGatedDeltaNet(const Config& config,
                                    const TensorTable& tensors) {
  HyperParameters keys(config, "gated_deltanet.");
  return PlanLinearModel(keys, tensors, GatedDeltaPart);
}

}  // namespace fastweights
