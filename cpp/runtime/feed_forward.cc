// SPDX-License-Identifier: MIT
#include "runtime/feed_forward.h"

#include "kernels/activations.h"

namespace fastweights {

FeedForward::FeedForward(int model_dim, const LayerPlan& plan, Weights& weights)
    : inner_dim_(plan.feed_forward_dim),
      gate_(weights.Matrix(plan.gate, inner_dim_, model_dim)),
      up_(weights.Matrix(plan.up, inner_dim_, model_dim)),
      down_(weights.Matrix(plan.down, model_dim, inner_dim_)) {}

size_t FeedForward::ScratchBytes(int tokens) const {
  return 2 * AlignedBytes(sizeof(float) * static_cast<size_t>(tokens) *
                          inner_dim_) +
         ProductInput::ScratchBytes(tokens, inner_dim_);
}

void FeedForward::Forward(ProductInput& x, float* out) {
  const size_t count = static_cast<size_t>(x.tokens()) * inner_dim_;
  Arena& arena = x.workspace().arena();
  float* gate = arena.Take<float>(count);
  float* up = arena.Take<float>(count);
  gate_->Multiply(x, gate, inner_dim_);
  up_->Multiply(x, up, inner_dim_);
  {
    const ProfileScope scope(x.workspace().profile(), {"activation"});
    SwiGlu(count, gate, up, gate);
  }
  ProductInput inner(x.tokens(), inner_dim_, gate, x.workspace());
  down_->Multiply(inner, out, down_->rows());
}

}  // namespace fastweights
