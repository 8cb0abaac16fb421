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

#include <algorithm>

#include "kernels/activations.h"
#include "mixers/mixer.h"
#include "mixers/projection.h"

namespace fastweights {
namespace {

// Of gate and up at most, whatever the batch: a part of fewer tokens reads the
// weights once more, which from a hundred tokens on costs a few per cent, and
// large models would need more than all their other scratch.
constexpr size_t kMostBytes = 16 << 20;
// Floats of one task of the activation.
constexpr int kTaskFloats = 16 << 10;

class FeedForward final : public Mixer {
 public:
  FeedForward(int model_dim, const MixerPlan& plan, Weights& weights)
      : model_dim_(model_dim),
        inner_dim_(plan.Size("inner_dim")),
        gate_(plan.Has("gate")
                  ? MakeProjection("gate", inner_dim_, model_dim, plan, weights)
                  : Projection()),
        up_(MakeProjection("up", inner_dim_, model_dim, plan, weights)),
        down_(MakeProjection("down", model_dim, inner_dim_, plan, weights)) {}

  size_t ScratchBytes(int tokens) const override {
    const int part = PartTokens(tokens);
    const size_t inputs =
        part < tokens ? ProductInput::ScratchBytes(part, model_dim_) : 0;
    return inputs +
           (gate_ ? 2 : 1) *
               AlignedBytes(sizeof(float) * static_cast<size_t>(part) *
                            inner_dim_) +
           ProductInput::ScratchBytes(part, inner_dim_);
  }

  void Forward(const Pass&, ProductInput& x, float* out) override {
    const int tokens = x.tokens(), part = PartTokens(tokens);
    if (part == tokens) return Part(x, out);
    for (int from = 0; from < tokens; from += part) {
      const ArenaScope scope(x.workspace().arena());
      const size_t at = static_cast<size_t>(from) * model_dim_;
      ProductInput input(std::min(part, tokens - from), model_dim_,
                         x.values() + at, x.workspace());
      Part(input, out + at);
    }
  }

 private:
  int PartTokens(int tokens) const {
    const size_t bytes = 2 * sizeof(float) * inner_dim_ * tokens;
    const int parts =
        std::max(1, static_cast<int>((bytes + kMostBytes - 1) / kMostBytes));
    return (tokens + parts - 1) / parts;
  }

  void Part(ProductInput& x, float* out) {
    Workspace& workspace = x.workspace();
    const size_t floats = static_cast<size_t>(x.tokens()) * inner_dim_;
    float* up = workspace.arena().Take<float>(floats);
    float* gate = gate_ ? workspace.arena().Take<float>(floats) : up;
    if (gate_) gate_.Multiply(x, gate);
    up_.Multiply(x, up);
    {
      const ProfileScope scope(workspace.profile(), {"activation"});
      ForRanges(workspace.threads(), static_cast<int>(floats), kTaskFloats,
                [&](int first, int end) {
                  const size_t count = end - first;
                  if (!gate_) return ReluSquared(count, up + first);
                  SwiGlu(count, gate + first, up + first, up + first);
                });
    }
    ProductInput inner(x.tokens(), inner_dim_, up, workspace);
    down_.Multiply(inner, out);
  }

  int model_dim_;
  int inner_dim_;
  Projection gate_, up_, down_;
};

}  // namespace

std::unique_ptr<Mixer> MakeFeedForward(int model_dim, const MixerPlan& plan,
                                       Weights& weights) {
  return std::make_unique<FeedForward>(model_dim, plan, weights);
}

}  // namespace fastweights
