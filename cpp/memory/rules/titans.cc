// SPDX-License-Identifier: MIT
#include "kernels/titans/titans.h"

#include "memory/rule.h"

namespace fastweights {
namespace {

// N <- eta N - theta k (M^T k - v)^T, M <- (1 - alpha) M + N, o = M^T q
class Titans final : public Rule {
 public:
  Titans(const MemoryShape& given, const Settings& settings)
      : Rule(given),
        kernel_{shape().heads, shape().key_dim, shape().value_dim,
                static_cast<int>(settings.Number("miniBatch"))} {}

  std::vector<StateArray> Arrays() const override {
    const int H = kernel_.heads, K = kernel_.key_dim, V = kernel_.value_dim;
    const uint64_t stride = TitansStateFloats(kernel_);
    const uint64_t matrix = static_cast<uint64_t>(K) * V;
    const auto array = [&](const char* name, uint64_t offset) {
      return StateArray{name, H,      given().key_dim, given().value_dim, K, V,
                        true, offset, stride};
    };
    std::vector<StateArray> arrays = {array("state", 0),
                                      array("momentum", matrix)};
    if (const int pending = static_cast<int>(stride - 2 * matrix)) {
      arrays.push_back(
          {"pending", H, 1, pending, 1, pending, false, 2 * matrix, stride});
    }
    return arrays;
  }

  uint64_t StateFloats() const override {
    return static_cast<uint64_t>(kernel_.heads) * TitansStateFloats(kernel_);
  }

  uint64_t ScratchBytes(int) const override { return 0; }

  void Forward(const RuleCall& call) const override {
    const int keys = kernel_.heads * kernel_.key_dim;
    const int values = kernel_.heads * kernel_.value_dim;
    const TitansArgs args = {.q = call.inputs[0],
                             .q_stride = keys,
                             .k = call.inputs[1],
                             .k_stride = keys,
                             .v = call.inputs[2],
                             .v_stride = values,
                             .alpha = call.inputs[3],
                             .eta = call.inputs[4],
                             .theta = call.inputs[5],
                             .state = call.state,
                             .state_stride = TitansStateFloats(kernel_),
                             .out = call.out,
                             .out_stride = values};
    for (int h = 0; h < kernel_.heads; ++h) {
      if (kernel_.mini_batch == 1) {
        TitansRecurrent(call.tokens, kernel_, args, h);
      } else {
        TitansMiniBatch(call.position, call.tokens, kernel_, args, h);
      }
    }
  }

  void Read(const RuleCall& call) const override {
    ReadStates(call, shape(), TitansStateFloats(kernel_));
  }

 private:
  TitansShape kernel_;
};

}  // namespace

// The linear memory of Titans (Behrouz et al. 2024). By default a write is one
// step of gradient descent at rate 1 that forgets nothing: the delta rule. With
// mini-batches, gradients are taken where one began.
RuleSpec TitansRule() {
  return {.name = "titans",
          .inputs = {kQueryInput,
                     kKeyInput,
                     kValueInput,
                     {"alpha", Extent::kHead, Role::kGate, 0},
                     {"eta", Extent::kHead, Role::kGate, 0},
                     {"theta", Extent::kHead, Role::kGate, 1}},
          .settings = {{.name = "miniBatch",
                        .value = 1,
                        .least = 1,
                        .most = kMaxTitansMiniBatch,
                        .whole = true}},
          .make = [](const MemoryShape& given,
                     const Settings& settings) -> std::unique_ptr<Rule> {
            return std::make_unique<Titans>(given, settings);
          },
          .groups = false};
}

}  // namespace fastweights
