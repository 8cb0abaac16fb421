// SPDX-License-Identifier: MIT
#pragma once

#include "mixers/projection.h"

namespace fastweights {

// A layer of inner channels between two products, of each token by itself:
//
//   out = W_down (silu(W_gate x) * (W_up x))     with a gate
//   out = W_down relu(W_up x)^2                  without
class InnerLayer {
 public:
  InnerLayer(int model_dim, int inner_dim, Projection gate, Projection up,
             Projection down);

  // Of Forward, beside x's own.
  size_t ScratchBytes(int tokens) const;
  // out [tokens, model_dim] from x [tokens, model_dim]; may be x's values.
  void Forward(ProductInput& x, float* out);

 private:
  int PartTokens(int tokens) const;
  void Part(ProductInput& x, float* out);

  int model_dim_;
  int inner_dim_;
  Projection gate_, up_, down_;
};

}  // namespace fastweights
