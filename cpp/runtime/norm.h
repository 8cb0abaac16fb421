// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/plan.h"
#include "formats/weights.h"

namespace fastweights {

// A norm of a model's plan, or none.
class Norm {
 public:
  // Check weights.error() before using it.
  Norm(const NormPlan& plan, int dim, Weights& weights);

  bool is_none() const { return kind_ == NormKind::kNone; }

  // out = norm(x), of x [rows, dim], dense; out may be x.
  void Apply(int rows, const float* x, float* out) const;
  // x += scale * out, then out = norm(x): the residual of one block and the
  // norm of the next in one pass.
  void AddAndApply(int rows, float scale, float* x, float* out) const;

 private:
  NormKind kind_;
  int dim_;
  float epsilon_;
  std::unique_ptr<Values> weight_, bias_;
};

}  // namespace fastweights
