// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "base/plan.h"
#include "formats/product_input.h"
#include "formats/weights.h"
#include "kernels/activations.h"

namespace fastweights {

// A matrix of low rank, with or without something between its halves:
//
//   out = W_up f(W_down x)
class LowRank {
 public:
  using Activation = void (*)(size_t count, float* x);

  LowRank() = default;
  // The tensors down [rank, columns] and up [rows, rank] of a plan.
  LowRank(const char* down, const char* up, int rows, int columns, int rank,
          Activation activation, const MixerPlan& plan, Weights& weights)
      : rank_(rank),
        activation_(activation),
        down_(weights.Matrix(plan.Tensor(down), rank, columns)),
        up_(weights.Matrix(plan.Tensor(up), rows, rank)) {}

  explicit operator bool() const { return down_ != nullptr; }

  // Of Multiply; none if there is no matrix.
  size_t ScratchBytes(int tokens) const {
    return rank_ == 0 ? 0
                      : AlignedBytes(sizeof(float) * tokens * rank_) +
                            ProductInput::ScratchBytes(tokens, rank_);
  }

  // out [tokens, rows]; may be x's values.
  void Multiply(ProductInput& x, float* out) {
    Workspace& workspace = x.workspace();
    const ArenaScope scope(workspace.arena());
    const size_t count = static_cast<size_t>(x.tokens()) * rank_;
    float* inner = workspace.arena().Take<float>(count);
    down_->Multiply(x, inner, rank_);
    if (activation_ != nullptr) activation_(count, inner);
    ProductInput input(x.tokens(), rank_, inner, workspace);
    up_->Multiply(input, out, up_->rows());
  }

 private:
  int rank_ = 0;
  Activation activation_ = nullptr;
  std::unique_ptr<Linear> down_, up_;
};

}  // namespace fastweights
