// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/plan.h"
#include "formats/product_input.h"
#include "formats/weights.h"
#include "kernels/activations.h"

namespace fastweights {

// A matrix product, and a bias and a factor where the model has such.
class Projection {
 public:
  Projection() = default;
  Projection(std::unique_ptr<Linear> matrix, std::unique_ptr<Values> bias,
             float scale)
      : matrix_(std::move(matrix)), bias_(std::move(bias)), scale_(scale) {}

  explicit operator bool() const { return matrix_ != nullptr; }
  int rows() const { return matrix_->rows(); }

  // out [tokens, rows()] = (x W^T + bias) * scale
  void Multiply(ProductInput& x, float* out) {
    matrix_->Multiply(x, out, rows());
    Finish(x.tokens(), out, x.workspace());
  }

  // Likewise in two steps: the product may be made together with others.
  MatrixProduct To(float* out) const { return matrix_->To(out); }
  void Finish(int tokens, float* out, Workspace& workspace) const {
    if (!bias_ && scale_ == 1) return;
    constexpr int kTaskTokens = 16;
    ForRanges(workspace.threads(), tokens, kTaskTokens, [&](int from, int to) {
      for (int t = from; t < to; ++t) {
        FinishRow(out + static_cast<size_t>(t) * rows());
      }
    });
  }

 private:
  void FinishRow(float* row) const {
    if (bias_) AddScaled(rows(), 1, bias_->data(), row);
    if (scale_ != 1) Scale(rows(), scale_, row);
  }

  std::unique_ptr<Linear> matrix_;
  std::unique_ptr<Values> bias_;
  float scale_ = 1;
};

// The matrix [rows, columns] that a plan has under a role, with the tensor
// `<role>_bias` and the size `<role>_scale` if it has such.
inline Projection MakeProjection(const char* role, int rows, int columns,
                                 const MixerPlan& plan, Weights& weights) {
  const std::string bias = std::string(role) + "_bias";
  const std::string scale = std::string(role) + "_scale";
  return {weights.Matrix(plan.Tensor(role), rows, columns),
          plan.Has(bias.c_str())
              ? weights.Vector(plan.Tensor(bias.c_str()), rows)
              : nullptr,
          static_cast<float>(plan.Number(scale.c_str(), 1))};
}

}  // namespace fastweights
