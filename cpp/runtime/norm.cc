// SPDX-License-Identifier: MIT
#include "runtime/norm.h"

#include <algorithm>

#include "kernels/activations.h"
#include "kernels/layer_norm.h"
#include "kernels/rms_norm.h"

namespace fastweights {

Norm::Norm(const NormPlan& plan, int dim, Weights& weights)
    : kind_(plan.kind), dim_(dim), epsilon_(static_cast<float>(plan.epsilon)) {
  if (kind_ == NormKind::kNone) return;
  weight_ = weights.Vector(plan.weight, dim);
  if (!plan.bias.empty()) bias_ = weights.Vector(plan.bias, dim);
}

void Norm::Apply(int rows, const float* x, float* out) const {
  switch (kind_) {
    case NormKind::kNone:
      if (out != x) std::copy_n(x, static_cast<size_t>(rows) * dim_, out);
      return;
    case NormKind::kRms:
      return RmsNorm(rows, dim_, x, dim_, weight_->data(), epsilon_, out, dim_);
    case NormKind::kLayer:
      return LayerNorm(rows, dim_, x, dim_, weight_->data(),
                       bias_ ? bias_->data() : nullptr, epsilon_, out, dim_);
  }
}

void Norm::AddAndApply(int rows, float scale, float* x, float* out) const {
  if (kind_ == NormKind::kRms) {
    return AddRmsNorm(rows, dim_, scale, x, weight_->data(), epsilon_, out);
  }
  for (int row = 0; row < rows; ++row, x += dim_, out += dim_) {
    AddScaled(dim_, scale, out, x);
    Apply(1, x, out);
  }
}

}  // namespace fastweights
