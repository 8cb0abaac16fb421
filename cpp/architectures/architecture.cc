// SPDX-License-Identifier: MIT
#include "architectures/architecture.h"

namespace fastweights {

#define ARCHITECTURE(key, plan) \
  Result<ModelPlan> plan(const Config&, const TensorTable&);
#include "architectures/architectures.inc"
#undef ARCHITECTURE

Result<ModelPlan> MakePlan(const Config& config, const TensorTable& tensors) {
  const auto name = config.Text("general.architecture");
  if (!name) {
    return Error{"invalid_metadata", "general.architecture",
                 "the file names no architecture"};
  }
  std::string known;
#define ARCHITECTURE(key, plan)                   \
  if (*name == key) return plan(config, tensors); \
  known += known.empty() ? key : ", " key;
#include "architectures/architectures.inc"
#undef ARCHITECTURE
  return Error{
      "unsupported_architecture", *name,
      "architecture '" + *name + "' is not supported (only " + known + ")"};
}

}  // namespace fastweights
