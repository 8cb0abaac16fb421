// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "kernels/activations.h"
#include "kernels/rms_norm.h"
#include "mixers/low_rank_projection.h"

namespace fastweights {

// What becomes of what linear attention reads of its states:
//
//   out = W_output (rms_norm(o) * act(gate)),  gate = W_gate x or W_b W_a x + b
//
// or without a gate the norm alone, which is of each head. Sizes in the plan:
// norm_epsilon; and where they are not zero sigmoid_gate (else silu),
// whole_norm (of all heads together; without a gate), gate_rank. Tensors: norm,
// output; where there are such gate, or gate_a and gate_b with gate_b_bias.
class HeadOutputs {
 public:
  HeadOutputs(int model_dim, int heads, int dim, const MixerPlan& plan,
              Weights& weights)
      : heads_(heads),
        dim_(dim),
        epsilon_(static_cast<float>(plan.Number("norm_epsilon"))),
        sigmoid_gate_(plan.Size("sigmoid_gate", 0) != 0),
        whole_norm_(plan.Size("whole_norm", 0) != 0),
        norm_(weights.Vector(plan.Tensor("norm"),
                             whole_norm_ ? channels() : dim)),
        output_(weights.Matrix(plan.Tensor("output"), model_dim, channels())) {
    if (plan.Has("gate") || plan.Has("gate_b")) {
      gate_ =
          LowRankProjection::Of("gate", channels(), model_dim, plan, weights);
    }
  }

  int channels() const { return heads_ * dim_; }

  size_t ScratchBytes(int tokens) const {
    return FloatBytes(tokens, channels()) + gate_.ScratchBytes(tokens) +
           ProductInput::ScratchBytes(tokens, channels());
  }

  // The gates of x, [tokens, channels()], from its workspace's arena; the
  // normalised outputs take their place.
  float* Multiply(ProductInput& x) {
    float* inner = x.workspace().arena().Take<float>(
        static_cast<size_t>(x.tokens()) * channels());
    gate_.Multiply(x, inner);
    return inner;
  }

  // Of one head: o [tokens, dim], rows stride apart, is not kept; inner is the
  // first token's row.
  void NormaliseHead(int tokens, int head, float* o, int stride,
                     float* inner) const {
    inner += head * dim_;
    if (whole_norm_) return;
    if (gate_ && !sigmoid_gate_) {
      return RmsNormGated(tokens, dim_, o, stride, norm_->data(), epsilon_,
                          inner, channels());
    }
    if (!gate_) {
      return RmsNorm(tokens, dim_, o, stride, norm_->data(), epsilon_, inner,
                     channels());
    }
    RmsNorm(tokens, dim_, o, stride, norm_->data(), epsilon_, o, stride);
    for (int t = 0; t < tokens; ++t, o += stride, inner += channels()) {
      SigmoidGate(dim_, o, inner, inner);
    }
  }

  // out [tokens, model_dim]; o as it was given to NormaliseHead, of all heads.
  void Project(int tokens, const float* o, int stride, float* inner,
               Workspace& workspace, float* out) {
    if (whole_norm_) {
      const ProfileScope scope(workspace.profile(), {"gated norm"});
      ForRanges(workspace.threads(), tokens, kTaskTokens,
                [&](int from, int to) {
                  RmsNorm(to - from, channels(), o + from * stride, stride,
                          norm_->data(), epsilon_, inner + from * channels(),
                          channels());
                });
    }
    ProductInput normalised(tokens, channels(), inner, workspace);
    output_->Multiply(normalised, out, output_->rows());
  }

 private:
  static constexpr int kTaskTokens = 16;

  int heads_, dim_;
  float epsilon_;
  bool sigmoid_gate_, whole_norm_;
  std::unique_ptr<Values> norm_;
  std::unique_ptr<Linear> output_;
  LowRankProjection gate_;
};

}  // namespace fastweights
