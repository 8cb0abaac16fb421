// SPDX-License-Identifier: MIT

// Feed-forward networks, which mix a token's channels. With a gate, SwiGLU
// (Shazeer, GLU Variants Improve Transformer, 2020):
//
//   out = W_down (silu(W_gate x) * (W_up x))
//
// without one, relu squared (So et al., Primer, 2021):
//
//   out = W_down relu(W_up x)^2
//
// Sizes in the plan: inner_dim; gate_scale and down_scale (1), of those
// products. Tensors: up, down and, where there are such, gate and the biases
// gate_bias, up_bias, down_bias.

#include "mixers/inner_layer.h"
#include "mixers/mixer.h"

namespace fastweights {
namespace {

class FeedForward final : public Mixer {
 public:
  FeedForward(int model_dim, int inner_dim, const MixerPlan& plan,
              Weights& weights)
      : layer_(model_dim, inner_dim,
               plan.Has("gate")
                   ? MakeProjection("gate", inner_dim, model_dim, plan, weights)
                   : Projection(),
               MakeProjection("up", inner_dim, model_dim, plan, weights),
               MakeProjection("down", model_dim, inner_dim, plan, weights)) {}

  size_t ScratchBytes(int tokens) const override {
    return layer_.ScratchBytes(tokens);
  }

  int Reach() const override { return 0; }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    LeaveWanted(pass.texts, x, out);
    layer_.Forward(x, out);
  }

 private:
  InnerLayer layer_;
};

}  // namespace

std::unique_ptr<Mixer> MakeFeedForward(int model_dim, const MixerPlan& plan,
                                       Weights& weights) {
  return std::make_unique<FeedForward>(model_dim, plan.Size("inner_dim"), plan,
                                       weights);
}

}  // namespace fastweights
