// SPDX-License-Identifier: MIT
#include "kernels/ttt_linear/ttt_linear.h"

#include <algorithm>

#include "memory/rule.h"

namespace fastweights {
namespace {

// A linear layer that learns, by mini-batches, to take keys to values through a
// layer norm (kernels/ttt_linear).
class TttLinearMemory final : public Rule {
 public:
  TttLinearMemory(const MemoryShape& given, const Settings& settings)
      : Rule(given),
        settings_(settings),
        kernel_{.residual = settings.Choice("residual") == "query"
                                ? TttResidual::kQuery
                                : TttResidual::kOutput,
                .heads = given.heads,
                .dim = given.key_dim,
                .mini_batch = static_cast<int>(settings.Number("miniBatch")),
                .epsilon = static_cast<float>(settings.Number("epsilon"))} {}

  std::vector<StateArray> Arrays() const override {
    const int H = kernel_.heads, d = kernel_.dim;
    const size_t stride = TttLinearStateFloats(kernel_), matrix = size_t(d) * d;
    const int pending = 2 * kernel_.mini_batch;
    return {{"state", H, d, d, d, d, true, 0, stride},
            {"bias", H, 1, d, 1, d, false, matrix, stride},
            {"pending", H, pending, d, pending, d, false, matrix + d, stride}};
  }

  uint64_t StateFloats() const override {
    return static_cast<uint64_t>(kernel_.heads) * TttLinearStateFloats(kernel_);
  }

  // Of a read: a copy of a head's state.
  uint64_t ScratchBytes(int) const override {
    return AlignedBytes(sizeof(float) * StateFloats()) +
           4 * AlignedBytes(sizeof(float) * kernel_.heads * kernel_.dim);
  }

  void Forward(const RuleCall& call) const override {
    Run(call.position, call.tokens, call.inputs, call.state, call.out);
  }

  // A token that neither learns nor sees what its mini-batch has learned; what
  // it leaves behind is in a copy.
  void Read(const RuleCall& call) const override {
    const ArenaScope scope(call.arena);
    const int row = kernel_.heads * kernel_.dim;
    float* state = call.arena.Take<float>(StateFloats());
    float* zeros = call.arena.Take<float>(row);
    std::fill_n(zeros, row, 0.0f);
    for (int t = 0; t < call.tokens; ++t) {
      std::copy_n(call.state, StateFloats(), state);
      const float* inputs[] = {call.inputs[0] + t * row, zeros, zeros, zeros,
                               zeros};
      Run(call.position, 1, inputs, state, call.out + t * row);
    }
  }

 private:
  void Run(int position, int tokens, const float* const* inputs, float* state,
           float* out) const {
    const int row = kernel_.heads * kernel_.dim;
    for (int h = 0; h < kernel_.heads; ++h) {
      TttLinear(position, tokens, kernel_,
                {.q = inputs[0],
                 .q_stride = row,
                 .k = inputs[1],
                 .k_stride = row,
                 .v = inputs[2],
                 .v_stride = row,
                 .eta = inputs[3],
                 .lr = inputs[4],
                 .gamma = settings_.Array("gamma"),
                 .beta = settings_.Array("beta"),
                 .state = state,
                 .state_stride = TttLinearStateFloats(kernel_),
                 .out = out,
                 .out_stride = row},
                h);
    }
  }

  Settings settings_;
  TttLinearShape kernel_;
};

Setting NormSetting(const char* name,
                    float (*at)(const MemoryShape&, int, int)) {
  return {.name = name,
          .least = -1e6,
          .most = 1e6,
          .extent = Extent::kValue,
          .at = at};
}

}  // namespace

// TTT-Linear (Sun et al. 2024). eta is the rate of the token that reads, lr of
// the one that is learned from.
RuleSpec TttLinearRule() {
  return {
      .name = "ttt_linear",
      .inputs = {kQueryInput,
                 kKeyInput,
                 kValueInput,
                 {"eta", Extent::kHead, Role::kGate, 1},
                 {.name = "lr",
                  .extent = Extent::kHead,
                  .role = Role::kGate,
                  .absent = 1,
                  .optional = true}},
      .settings = {{.name = "miniBatch",
                    .value = 16,
                    .least = 1,
                    .most = kMaxMiniBatch,
                    .whole = true},
                   {.name = "residual", .choices = {"query", "output"}},
                   {.name = "epsilon", .value = 1e-6, .least = 0, .most = 1},
                   NormSetting("gamma", [](const MemoryShape&, int,
                                           int) { return 1.0f; }),
                   NormSetting("beta", [](const MemoryShape&, int,
                                          int) { return 0.0f; })},
      .make = [](const MemoryShape& given,
                 const Settings& settings) -> std::unique_ptr<Rule> {
        return std::make_unique<TttLinearMemory>(given, settings);
      },
      .groups = false,
      .pads = false,
      .square = true};
}

}  // namespace fastweights
