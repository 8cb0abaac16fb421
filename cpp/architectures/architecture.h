// SPDX-License-Identifier: MIT
#pragma once

#include "base/config.h"
#include "base/plan.h"
#include "base/result.h"

namespace fastweights {

// From a file's metadata and tensor table to a plan. The architecture is the
// text under `general.architecture`; one that architectures.inc lacks is the
// error `unsupported_architecture`. Every number read is range-checked here
// (`invalid_metadata`); tensors are checked when the plan is built.
Result<ModelPlan> MakePlan(const Config& config, const TensorTable& tensors);

}  // namespace fastweights
