// SPDX-License-Identifier: MIT

// The channel mixing of RWKV-7 and, with receptance, of RWKV-6 (Peng et al.,
// 2025 and 2024), whose input x is mixed with that of the token before:
//
//   out = W_value relu(W_key x_k)^2
//   out = sigmoid(W_receptance x_r) * (W_value relu(W_key x_k)^2)
//
// Sizes in the plan: inner_dim. Tensors: key_mix [model_dim], key, value; with
// receptance also receptance_mix [model_dim] and receptance.

#include <algorithm>

#include "kernels/activations.h"
#include "mixers/mixer.h"
#include "mixers/shifted_input.h"

namespace fastweights {
namespace {

// Of the inner values at most, whatever the batch, as in feed_forward.cc.
constexpr size_t kMostBytes = 16 << 20;
// Floats of one task between the products.
constexpr int kTaskFloats = 16 << 10;

class ChannelMix final : public Mixer {
 public:
  ChannelMix(int model_dim, const MixerPlan& plan, Weights& weights)
      : model_dim_(model_dim),
        inner_dim_(plan.Size("inner_dim")),
        key_mix_(weights.Vector(plan.Tensor("key_mix"), model_dim)),
        key_(weights.Matrix(plan.Tensor("key"), inner_dim_, model_dim)),
        value_(weights.Matrix(plan.Tensor("value"), model_dim, inner_dim_)) {
    if (!plan.Has("receptance")) return;
    receptance_mix_ = weights.Vector(plan.Tensor("receptance_mix"), model_dim);
    receptance_ =
        weights.Matrix(plan.Tensor("receptance"), model_dim, model_dim);
  }

  size_t StateFloats() const override { return model_dim_; }

  size_t ScratchBytes(int tokens) const override {
    const auto floats = [](int count, int width) {
      return AlignedBytes(sizeof(float) * static_cast<size_t>(count) * width);
    };
    const int part = PartTokens(tokens);
    return (receptance_ ? 2 : 1) * floats(tokens, model_dim_) +
           std::max(
               receptance_ ? ProductInput::ScratchBytes(tokens, model_dim_) : 0,
               ProductInput::ScratchBytes(part, model_dim_) +
                   floats(part, inner_dim_) +
                   ProductInput::ScratchBytes(part, inner_dim_));
  }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    Workspace& workspace = x.workspace();
    const int tokens = x.tokens(), part = PartTokens(tokens);
    const size_t floats = static_cast<size_t>(tokens) * model_dim_;
    float* mixed = workspace.arena().Take<float>(floats);
    float* receptance =
        receptance_ ? workspace.arena().Take<float>(floats) : nullptr;
    const ShiftedInput shifted(pass, x, 0);
    if (receptance_) {
      shifted.Mix(receptance_mix_->data(), nullptr, mixed);
      const ArenaScope scope(workspace.arena());
      ProductInput input(tokens, model_dim_, mixed, workspace);
      receptance_->Multiply(input, receptance, model_dim_);
    }
    shifted.Mix(key_mix_->data(), nullptr, mixed);
    shifted.Keep();
    for (int from = 0; from < tokens; from += part) {
      const ArenaScope scope(workspace.arena());
      const size_t at = static_cast<size_t>(from) * model_dim_;
      ProductInput input(std::min(part, tokens - from), model_dim_, mixed + at,
                         workspace);
      Part(input, out + at);
    }
    if (receptance == nullptr) return;
    const ProfileScope scope(workspace.profile(), {"activation"});
    ForRanges(workspace.threads(), static_cast<int>(floats), kTaskFloats,
              [&](int first, int end) {
                SigmoidGate(end - first, out + first, receptance + first,
                            out + first);
              });
  }

 private:
  int PartTokens(int tokens) const {
    const size_t bytes = sizeof(float) * inner_dim_ * tokens;
    const int parts =
        std::max(1, static_cast<int>((bytes + kMostBytes - 1) / kMostBytes));
    return (tokens + parts - 1) / parts;
  }

  void Part(ProductInput& x, float* out) {
    Workspace& workspace = x.workspace();
    const size_t floats = static_cast<size_t>(x.tokens()) * inner_dim_;
    float* inner = workspace.arena().Take<float>(floats);
    key_->Multiply(x, inner, inner_dim_);
    {
      const ProfileScope scope(workspace.profile(), {"activation"});
      ForRanges(
          workspace.threads(), static_cast<int>(floats), kTaskFloats,
          [&](int first, int end) { ReluSquared(end - first, inner + first); });
    }
    ProductInput input(x.tokens(), inner_dim_, inner, workspace);
    value_->Multiply(input, out, model_dim_);
  }

  int model_dim_;
  int inner_dim_;
  std::unique_ptr<Values> key_mix_, receptance_mix_;
  std::unique_ptr<Linear> key_, value_, receptance_;
};

}  // namespace

std::unique_ptr<Mixer> MakeChannelMix(int model_dim, const MixerPlan& plan,
                                      Weights& weights) {
  return std::make_unique<ChannelMix>(model_dim, plan, weights);
}

}  // namespace fastweights
