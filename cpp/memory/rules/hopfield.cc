// SPDX-License-Identifier: MIT
#include "kernels/hopfield/hopfield.h"

#include <algorithm>

#include "memory/cell_rule.h"

namespace fastweights {
namespace {

// S <- S + rate k v^T, o = sep(S^T q); with several iterations, where values
// are patterns as keys are, o is read again with itself for the query.
constexpr CellSpec kHopfield = {
    .prepare =
        [](const CellCall& cell, LinearRecurrenceArgs* args) {
          const int values = cell.shape.heads * cell.shape.value_dim;
          const auto rate = static_cast<float>(cell.settings.Number("rate"));
          float* v = cell.Take(values);
          for (int i = 0; i < cell.call.tokens * values; ++i) {
            v[i] = rate * args->v[i];
          }
          args->v = v;
        },
    .prepared_floats =
        [](const MemoryShape& shape) { return shape.heads * shape.value_dim; },
};

class Hopfield final : public CellRule {
 public:
  Hopfield(const MemoryShape& given, const Settings& settings)
      : CellRule(given, settings, kHopfield),
        beta_(static_cast<float>(settings.Number("inverseTemperature"))),
        iterations_(static_cast<int>(settings.Number("iterations"))) {
    const std::string& name = settings.Choice("separation");
    if (name == "sign") separation_ = Separation::kSign;
    if (name == "softmax") separation_ = Separation::kSoftmax;
  }

  uint64_t ScratchBytes(int tokens) const override {
    return CellRule::ScratchBytes(tokens) +
           AlignedBytes(sizeof(float) * tokens * Values());
  }

  void Forward(const RuleCall& call) const override {
    if (iterations_ == 1) {
      CellRule::Forward(call);
      return SeparateAll(call);
    }
    // What a token's iterations read is there before the next token's write.
    const int keys = shape().key_heads * shape().key_dim;
    for (int t = 0; t < call.tokens; ++t) {
      const float* inputs[] = {call.inputs[0] + t * keys,
                               call.inputs[1] + t * keys,
                               call.inputs[2] + t * Values()};
      RuleCall one = call;
      one.tokens = 1;
      one.inputs = inputs;
      one.out = call.out + t * Values();
      CellRule::Forward(one);
      SeparateAll(one);
      Iterate(one);
    }
  }

  void Read(const RuleCall& call) const override {
    CellRule::Read(call);
    SeparateAll(call);
    Iterate(call);
  }

 private:
  int Values() const { return shape().heads * shape().value_dim; }

  void SeparateAll(const RuleCall& call) const {
    const int V = shape().value_dim;
    Separate(separation_, call.tokens * shape().heads, V,
             {call.out, V, beta_, call.out, V});
  }

  void Iterate(const RuleCall& call) const {
    const ArenaScope scope(call.arena);
    const size_t count = static_cast<size_t>(call.tokens) * Values();
    float* x = call.arena.Take<float>(count);
    for (int i = 1; i < iterations_; ++i) {
      std::copy_n(call.out, count, x);
      RuleCall again = call;
      again.inputs = &x;
      CellRule::Read(again);
      SeparateAll(again);
    }
  }

  Separation separation_ = Separation::kLinear;
  float beta_;
  int iterations_;
};

}  // namespace

// Hopfield 1982 with v = k; heteroassociative otherwise (Kosko 1988). The
// separations are those of Millidge et al. 2022.
RuleSpec HopfieldRule() {
  return {
      .name = "hopfield",
      .inputs = {kQueryInput, kKeyInput, kValueInput},
      .settings =
          {{.name = "rate", .value = 1, .least = -1e6, .most = 1e6},
           {.name = "separation", .choices = {"linear", "sign", "softmax"}},
           {.name = "inverseTemperature", .value = 1, .least = 0, .most = 1e6},
           {.name = "iterations",
            .value = 1,
            .least = 1,
            .most = 1000,
            .whole = true}},
      .make = [](const MemoryShape& given,
                 const Settings& settings) -> std::unique_ptr<Rule> {
        return std::make_unique<Hopfield>(given, settings);
      },
      .groups = false,
      .pads = false};
}

}  // namespace fastweights
