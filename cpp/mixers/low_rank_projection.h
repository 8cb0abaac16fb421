// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "mixers/projection.h"

namespace fastweights {

// A product with one matrix, or with two of low rank, W_b W_a x, and a bias
// where the model has one; or nothing.
class LowRankProjection {
 public:
  LowRankProjection() = default;

  // The matrix [rows, columns] under a role; where the plan has none, those
  // under `<role>_a` [rank, columns] and `<role>_b` [rows, rank], the rank
  // being the size `<role>_rank`.
  LowRankProjection(const std::string& role, int rows, int columns,
                    const MixerPlan& plan, Weights& weights) {
    if (plan.Has(role.c_str())) {
      last_ = MakeProjection(role.c_str(), rows, columns, plan, weights);
      return;
    }
    const int rank = plan.Size((role + "_rank").c_str());
    rank_ = rank;
    first_ =
        MakeProjection((role + "_a").c_str(), rank, columns, plan, weights);
    last_ = MakeProjection((role + "_b").c_str(), rows, rank, plan, weights);
  }

  explicit operator bool() const { return static_cast<bool>(last_); }

  size_t ScratchBytes(int tokens) const {
    if (rank_ == 0) return 0;
    return AlignedBytes(sizeof(float) * static_cast<size_t>(tokens) * rank_) +
           ProductInput::ScratchBytes(tokens, rank_);
  }

  // out [tokens, rows]; nothing is written where there is no matrix.
  void Multiply(ProductInput& x, float* out) {
    if (!last_) return;
    if (rank_ == 0) return last_.Multiply(x, out);
    Arena& arena = x.workspace().arena();
    // Not within the scope: this may be the product that quantises x.
    float* inner = arena.Take<float>(static_cast<size_t>(x.tokens()) * rank_);
    first_.Multiply(x, inner);
    const ArenaScope scope(arena);
    ProductInput input(x.tokens(), rank_, inner, x.workspace());
    last_.Multiply(input, out);
  }

 private:
  int rank_ = 0;
  Projection first_, last_;
};

}  // namespace fastweights
