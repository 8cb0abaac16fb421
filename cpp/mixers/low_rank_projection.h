// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "mixers/projection.h"

namespace fastweights {

// A product with one matrix, or with two of low rank and perhaps a function
// between them, W_b f(W_a x), with a bias where the model has one; or nothing.
class LowRankProjection {
 public:
  using Activation = void (*)(size_t count, float* x);

  LowRankProjection() = default;

  // The matrices under two roles, [rank, columns] and [rows, rank].
  LowRankProjection(const char* first, const char* last, int rows, int columns,
                    int rank, Activation activation, const MixerPlan& plan,
                    Weights& weights)
      : rank_(rank),
        activation_(activation),
        first_(MakeProjection(first, rank, columns, plan, weights)),
        last_(MakeProjection(last, rows, rank, plan, weights)) {}

  // The matrix [rows, columns] under a role; where the plan has none, those
  // under `<role>_a` and `<role>_b`, the rank being the size `<role>_rank`.
  static LowRankProjection Of(const std::string& role, int rows, int columns,
                              const MixerPlan& plan, Weights& weights) {
    if (!plan.Has(role.c_str())) {
      return LowRankProjection(
          (role + "_a").c_str(), (role + "_b").c_str(), rows, columns,
          plan.Size((role + "_rank").c_str()), nullptr, plan, weights);
    }
    LowRankProjection whole;
    whole.last_ = MakeProjection(role.c_str(), rows, columns, plan, weights);
    return whole;
  }

  explicit operator bool() const { return static_cast<bool>(last_); }

  size_t ScratchBytes(int tokens) const {
    if (rank_ == 0) return 0;
    return FloatBytes(tokens, rank_) +
           ProductInput::ScratchBytes(tokens, rank_);
  }

  // out [tokens, rows]; may be x's values. Nothing is written where there is no
  // matrix.
  void Multiply(ProductInput& x, float* out) {
    if (!last_) return;
    if (rank_ == 0) return last_.Multiply(x, out);
    Arena& arena = x.workspace().arena();
    // Not within the scope: this may be the product that quantises x.
    const size_t count = static_cast<size_t>(x.tokens()) * rank_;
    float* inner = arena.Take<float>(count);
    first_.Multiply(x, inner);
    if (activation_ != nullptr) activation_(count, inner);
    const ArenaScope scope(arena);
    ProductInput input(x.tokens(), rank_, inner, x.workspace());
    last_.Multiply(input, out);
  }

 private:
  int rank_ = 0;
  Activation activation_ = nullptr;
  Projection first_, last_;
};

}  // namespace fastweights
