// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <memory>

#include "kernels/activations.h"
#include "kernels/decay_gates.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "mixers/low_rank_projection.h"

namespace fastweights {

// How a linear attention layer comes to its log decays g. By what the plan has:
//
//   alpha, dt_bias, decay   g = decay * softplus(W_alpha x + dt_bias), a head
//   forget_a, forget_b with dt_bias and decay, the same of each key channel of
//     W_b W_a x, decay of its head; where decay_bound is below zero
//     g = decay_bound * sigmoid(-decay * (W_b W_a x + dt_bias))
//   forget_a, forget_b without  g = max(logsigmoid(W_b W_a x + b) /
//     decay_divisor, decay_floor), a key channel
//   retention = 1           g = log(1 - 2^(-5 - head)), of output heads
//   forgets_by_key = 1      g = log f, k = 1 - f of the forget gate in k's
//     place, f between lower_bound (if there is one) and 1, a key channel
//
// and no decay otherwise. Sizes: forget_rank of a low-rank product.
class DecayGate {
 public:
  DecayGate(int model_dim, int heads, int key_dim, const MixerPlan& plan,
            Weights& weights)
      : heads_(heads),
        key_dim_(key_dim),
        kind_(KindOf(plan)),
        bound_(static_cast<float>(plan.Number("decay_bound", 0))),
        divisor_(static_cast<float>(plan.Number("decay_divisor", 1))),
        floor_(static_cast<float>(plan.Number("decay_floor", -INFINITY))) {
    if (plan.Has("alpha")) {
      product_ =
          LowRankProjection::Of("alpha", heads, model_dim, plan, weights);
    } else if (plan.Has("forget_b")) {
      product_ = LowRankProjection::Of("forget", heads * key_dim, model_dim,
                                       plan, weights);
    }
    if (plan.Has("dt_bias")) {
      dt_bias_ = weights.Vector(plan.Tensor("dt_bias"), width());
      decay_ = weights.Vector(plan.Tensor("decay"), heads);
    }
    if (plan.Has("lower_bound")) {
      lower_bound_ = weights.Vector(plan.Tensor("lower_bound"), width());
    }
  }

  Decay decay() const {
    if (kind_ == kNone) return Decay::kNone;
    return kind_ == kHeadSoftplus || kind_ == kRetention ? Decay::kPerHead
                                                         : Decay::kPerChannel;
  }
  // Floats of g that a token has.
  int width() const {
    if (kind_ == kNone) return 0;
    return decay() == Decay::kPerHead ? heads_ : heads_ * key_dim_;
  }

  size_t ScratchBytes(int tokens) const {
    return product_.ScratchBytes(tokens);
  }

  // g [tokens, width()]: the products, from which Apply makes log decays.
  void Multiply(ProductInput& x, float* g) { product_.Multiply(x, g); }

  // Those of one head, in place, g at the first token's row; k [tokens,
  // key_dim] the head's keys, k_stride apart.
  void Apply(int tokens, int head, float* g, float* k, int k_stride) const {
    const int dim = key_dim_, at = head * dim;
    for (int t = 0; t < tokens; ++t, g += width(), k += k_stride) {
      switch (kind_) {
        case kNone:
        case kRetention:
          return;
        case kHeadSoftplus:
          g[head] =
              decay_->data()[head] * Softplus(g[head] + dt_bias_->data()[head]);
          break;
        case kSoftplus:
          SoftplusDecay(dim, g + at, dt_bias_->data() + at,
                        decay_->data()[head], g + at);
          break;
        case kBounded:
          BoundedDecay(dim, g + at, dt_bias_->data() + at,
                       -decay_->data()[head], bound_, g + at);
          break;
        case kLogSigmoid:
          LogSigmoidDecay(dim, g + at, divisor_, floor_, g + at);
          break;
        case kForget:
          ForgetDecay(dim, k,
                      lower_bound_ ? lower_bound_->data() + at : nullptr,
                      g + at, k);
          break;
      }
    }
  }

  // Decays that are constants of the heads that read the state: those of
  // `reader`, in the place of `head`.
  void ApplyConstant(int tokens, int head, int reader, float* g) const {
    if (kind_ != kRetention) return;
    const float decay = RetentionDecay(reader);
    for (int t = 0; t < tokens; ++t) g[t * heads_ + head] = decay;
  }

 private:
  enum Kind {
    kNone,
    kHeadSoftplus,
    kSoftplus,
    kBounded,
    kLogSigmoid,
    kRetention,
    kForget
  };
  static Kind KindOf(const MixerPlan& plan) {
    if (plan.Has("alpha")) return kHeadSoftplus;
    if (plan.Has("forget_b") && !plan.Has("dt_bias")) return kLogSigmoid;
    if (plan.Has("forget_b")) {
      return plan.Number("decay_bound", 0) < 0 ? kBounded : kSoftplus;
    }
    if (plan.Size("retention", 0) != 0) return kRetention;
    return plan.Size("forgets_by_key", 0) != 0 ? kForget : kNone;
  }

  int heads_, key_dim_;
  Kind kind_;
  float bound_, divisor_, floor_;
  LowRankProjection product_;
  std::unique_ptr<Values> dt_bias_, decay_, lower_bound_;
};

}  // namespace fastweights
