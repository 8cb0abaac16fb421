// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/plan.h"
#include "formats/product_input.h"
#include "formats/weights.h"

namespace fastweights {

// A matrix product, and a bias where the model has one.
class Projection {
 public:
  Projection() = default;
  Projection(std::unique_ptr<Linear> matrix, std::unique_ptr<Values> bias)
      : matrix_(std::move(matrix)), bias_(std::move(bias)) {}

  explicit operator bool() const { return matrix_ != nullptr; }
  int rows() const { return matrix_->rows(); }

  // out [tokens, rows()] = x W^T + bias
  void Multiply(ProductInput& x, float* out) {
    matrix_->Multiply(x, out, rows());
    if (!bias_) return;
    for (int t = 0; t < x.tokens(); ++t) {
      float* row = out + static_cast<size_t>(t) * rows();
      for (int i = 0; i < rows(); ++i) row[i] += bias_->data()[i];
    }
  }

 private:
  std::unique_ptr<Linear> matrix_;
  std::unique_ptr<Values> bias_;
};

// The matrix [rows, columns] that a plan has under a role, with the bias under
// `<role>_bias` if it has one.
inline Projection MakeProjection(const char* role, int rows, int columns,
                                 const MixerPlan& plan, Weights& weights) {
  const std::string bias = std::string(role) + "_bias";
  return {weights.Matrix(plan.Tensor(role), rows, columns),
          plan.Has(bias.c_str())
              ? weights.Vector(plan.Tensor(bias.c_str()), rows)
              : nullptr};
}

}  // namespace fastweights
