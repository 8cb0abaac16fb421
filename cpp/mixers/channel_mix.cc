// SPDX-License-Identifier: MIT

// The channel mixing of RWKV-7 and, with receptance, of RWKV-6 (Peng et al.,
// 2025 and 2024), whose input x is mixed with that of the token before:
//
//   out = W_value relu(W_key x_k)^2
//   out = sigmoid(W_receptance x_r) * (W_value relu(W_key x_k)^2)
//
// Sizes in the plan: inner_dim. Tensors: key_mix [model_dim], key, value; with
// receptance also receptance_mix [model_dim] and receptance.

#include "kernels/activations.h"
#include "mixers/inner_layer.h"
#include "mixers/mixer.h"
#include "mixers/shifted_input.h"

namespace fastweights {
namespace {

// Floats of one task between the products.
constexpr int kTaskFloats = 16 << 10;

class ChannelMix final : public Mixer {
 public:
  ChannelMix(int model_dim, int inner_dim, const MixerPlan& plan,
             Weights& weights)
      : model_dim_(model_dim),
        key_mix_(weights.Vector(plan.Tensor("key_mix"), model_dim)),
        layer_(model_dim, inner_dim, Projection(),
               MakeProjection("key", inner_dim, model_dim, plan, weights),
               MakeProjection("value", model_dim, inner_dim, plan, weights)) {
    if (!plan.Has("receptance")) return;
    receptance_mix_ = weights.Vector(plan.Tensor("receptance_mix"), model_dim);
    receptance_ =
        weights.Matrix(plan.Tensor("receptance"), model_dim, model_dim);
  }

  size_t StateFloats() const override { return model_dim_; }
  int Reach() const override { return 1; }

  size_t ScratchBytes(int tokens) const override {
    const size_t input = ProductInput::ScratchBytes(tokens, model_dim_);
    return (receptance_ ? 2 : 1) * FloatBytes(tokens, model_dim_) + input +
           layer_.ScratchBytes(tokens);
  }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    Workspace& workspace = x.workspace();
    const int tokens = x.tokens();
    const size_t floats = static_cast<size_t>(tokens) * model_dim_;
    float* mixed = workspace.arena().Take<float>(floats);
    float* receptance =
        receptance_ ? workspace.arena().Take<float>(floats) : nullptr;
    const ShiftedInput shifted(pass, x, 0);
    if (receptance_) {
      shifted.Mix(receptance_mix_->data(), nullptr, mixed);
      const ArenaScope scope(workspace.arena());
      const int wanted = CopyWanted(pass.texts, model_dim_, mixed, mixed);
      ProductInput input(wanted, model_dim_, mixed, workspace);
      receptance_->Multiply(input, receptance, model_dim_);
    }
    shifted.Mix(key_mix_->data(), nullptr, mixed);
    shifted.Keep();
    const int wanted = CopyWanted(pass.texts, model_dim_, mixed, mixed);
    ProductInput input(wanted, model_dim_, mixed, workspace);
    layer_.Forward(input, out);
    if (receptance == nullptr) return;
    const ProfileScope scope(workspace.profile(), {"activation"});
    ForRanges(workspace.threads(), wanted * model_dim_, kTaskFloats,
              [&](int first, int end) {
                SigmoidGate(end - first, out + first, receptance + first,
                            out + first);
              });
  }

 private:
  int model_dim_;
  std::unique_ptr<Values> key_mix_, receptance_mix_;
  std::unique_ptr<Linear> receptance_;
  InnerLayer layer_;
};

}  // namespace

std::unique_ptr<Mixer> MakeChannelMix(int model_dim, const MixerPlan& plan,
                                      Weights& weights) {
  return std::make_unique<ChannelMix>(model_dim, plan.Size("inner_dim"), plan,
                                      weights);
}

}  // namespace fastweights
