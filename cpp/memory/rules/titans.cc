// SPDX-License-Identifier: MIT
#include "kernels/titans/titans.h"

#include "memory/rule.h"

namespace fastweights {
namespace {

// S <- eta S - theta k (M^T k - v)^T, M <- (1 - alpha) M + S, o = M^T q
class Titans final : public Rule {
 public:
  using Rule::Rule;

  std::vector<StateArray> Arrays() const override {
    const int K = shape().key_dim, V = shape().value_dim;
    const size_t matrix = static_cast<size_t>(K) * V;
    const auto array = [&](const char* name, size_t offset) {
      return StateArray{
          name, shape().heads, given().key_dim, given().value_dim, K,
          V,    true,          offset,          2 * matrix};
    };
    return {array("state", 0), array("momentum", matrix)};
  }

  uint64_t StateFloats() const override {
    return static_cast<uint64_t>(shape().heads) * TitansStateFloats(Kernel());
  }

  uint64_t ScratchBytes(int) const override { return 0; }

  void Forward(const RuleCall& call) const override {
    const int H = shape().heads, K = shape().key_dim, V = shape().value_dim;
    for (int h = 0; h < H; ++h) {
      TitansRecurrent(call.tokens, Kernel(),
                      {.q = call.inputs[0],
                       .q_stride = H * K,
                       .k = call.inputs[1],
                       .k_stride = H * K,
                       .v = call.inputs[2],
                       .v_stride = H * V,
                       .alpha = call.inputs[3],
                       .eta = call.inputs[4],
                       .theta = call.inputs[5],
                       .state = call.state,
                       .state_stride = TitansStateFloats(Kernel()),
                       .out = call.out,
                       .out_stride = H * V},
                      h);
    }
  }

  void Read(const RuleCall& call) const override {
    ReadStates(call, shape(), TitansStateFloats(Kernel()));
  }

 private:
  TitansShape Kernel() const {
    return {shape().heads, shape().key_dim, shape().value_dim};
  }
};

}  // namespace

// The linear memory of Titans (Behrouz et al. 2024). By default a write is one
// step of gradient descent at rate 1 that forgets nothing: the delta rule.
RuleSpec TitansRule() {
  return {.name = "titans",
          .inputs = {kQueryInput,
                     kKeyInput,
                     kValueInput,
                     {"alpha", Extent::kHead, Role::kGate, 0},
                     {"eta", Extent::kHead, Role::kGate, 0},
                     {"theta", Extent::kHead, Role::kGate, 1}},
          .settings = {},
          .make = [](const MemoryShape& given,
                     const Settings&) -> std::unique_ptr<Rule> {
            return std::make_unique<Titans>(given);
          },
          .groups = false};
}

}  // namespace fastweights
