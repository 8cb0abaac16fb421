// SPDX-License-Identifier: MIT
#include "kernels/least_squares/least_squares.h"

#include <algorithm>

#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// Above this an element of P is not let grow any further.
constexpr float kLargest = 1e6f;

LeastSquaresShape GainShape(const MemoryShape& shape) {
  return {shape.key_heads, shape.key_dim, kLargest};
}

size_t CellFloats(const MemoryShape& shape) {
  return static_cast<size_t>(shape.heads) * shape.key_dim * shape.value_dim;
}

// gain = P k / (forgetting + k . P k), P the inverse of the weighted sum of
// keys' outer products;  S <- S + gain (v - S^T k)^T,  o = S^T q
constexpr CellSpec kCell = {
    .erase = Erase::kKey,
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          const LeastSquaresShape shape = GainShape(cell.shape);
          const int K = shape.key_dim;
          float* gain = cell.Take(shape.key_heads * K);
          float* lambda = cell.Take(shape.key_heads);
          std::fill_n(lambda, cell.call.tokens * shape.key_heads,
                      static_cast<float>(cell.settings.Number("forgetting")));
          float* scratch =
              cell.call.arena.Take<float>(LeastSquaresScratchFloats(shape));
          for (int h = 0; h < shape.key_heads; ++h) {
            LeastSquaresGain(cell.call.tokens, shape,
                             {.k = args->k,
                              .k_stride = args->k_stride,
                              .lambda = lambda,
                              .root = cell.call.state + CellFloats(cell.shape),
                              .root_stride = K * K,
                              .gain = gain,
                              .gain_stride = args->k_stride},
                             h, scratch);
          }
          args->p = args->k;
          args->k = gain;
        },
    .prepared_floats =
        [](const MemoryShape& shape) {
          return shape.key_heads * (shape.key_dim + 1);
        },
};

class LeastSquares final : public CellRule {
 public:
  LeastSquares(const MemoryShape& given, const Settings& settings)
      : CellRule(given, settings, kCell) {}

  std::vector<StateArray> Arrays() const override {
    std::vector<StateArray> arrays = CellRule::Arrays();
    const int K = shape().key_dim;
    arrays.push_back({.name = "covarianceRoot",
                      .matrices = shape().key_heads,
                      .rows = given().key_dim,
                      .columns = given().key_dim,
                      .stored_rows = K,
                      .stored_columns = K,
                      .strips = false,
                      .offset = CellFloats(shape()),
                      .stride = static_cast<size_t>(K) * K});
    return arrays;
  }

  uint64_t StateFloats() const override {
    return CellRule::StateFloats() + shape().key_heads * RootFloats();
  }

  uint64_t ScratchBytes(int tokens) const override {
    return CellRule::ScratchBytes(tokens) +
           AlignedBytes(sizeof(float) *
                        LeastSquaresScratchFloats(GainShape(shape())));
  }

  void Begin(float* state) const override {
    const auto delta = static_cast<float>(settings().Number("regulariser"));
    for (int h = 0; h < shape().key_heads; ++h) {
      LeastSquaresStart(GainShape(shape()), delta,
                        state + CellFloats(shape()) + h * RootFloats());
    }
  }

 private:
  size_t RootFloats() const {
    return static_cast<size_t>(shape().key_dim) * shape().key_dim;
  }
};

}  // namespace

// Recursive least squares (Plackett 1950): what the state holds is the solution
// of the regression of all values on their keys. The limit of test-time
// regression (Wang et al. 2025).
RuleSpec LeastSquaresRule() {
  return {
      .name = "least_squares",
      .inputs = {kQueryInput, kKeyInput, kValueInput},
      .settings =
          {ScaleSetting(),
           {.name = "forgetting", .value = 1, .least = 1e-3, .most = 1},
           {.name = "regulariser", .value = 1e-3, .least = 1e-6, .most = 1e6}},
      .make = [](const MemoryShape& given,
                 const Settings& settings) -> std::unique_ptr<Rule> {
        return std::make_unique<LeastSquares>(given, settings);
      }};
}

}  // namespace fastweights
