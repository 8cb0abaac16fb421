// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/plan.h"
#include "formats/weights.h"

namespace fastweights {

// The channel mixer: out = W_down (silu(W_gate x) * (W_up x)).
class FeedForward {
 public:
  FeedForward(int model_dim, const LayerPlan& plan, Weights& weights);

  size_t ScratchBytes(int tokens) const;
  // x [tokens, model_dim], replaced by the output.
  void Forward(int tokens, float* x, Workspace& workspace);

 private:
  int PartTokens(int tokens) const;

  int model_dim_;
  int inner_dim_;
  std::unique_ptr<Linear> gate_, up_, down_;
};

}  // namespace fastweights
