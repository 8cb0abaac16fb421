// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernels/selective_scan/selective_scan.h"
#include "memory/rule.h"

namespace fastweights {
namespace {

// S_jn <- e^(dt_j a_jn) S_jn + dt_j x_j b_n,  o_j = sum_n c_n S_jn + d_j x_j:
// every value channel decays at rates of its own.
class Mamba1 final : public Rule {
 public:
  Mamba1(const MemoryShape& given, const Settings& settings)
      : Rule(given), settings_(settings) {}

  std::vector<StateArray> Arrays() const override {
    const int K = shape().key_dim, V = shape().value_dim;
    return {{"state", shape().heads, V, K, V, K, false, 0,
             static_cast<size_t>(V) * K}};
  }

  uint64_t StateFloats() const override {
    return static_cast<uint64_t>(shape().heads) * shape().key_dim *
           shape().value_dim;
  }

  uint64_t ScratchBytes(int) const override {
    return AlignedBytes(sizeof(float) * shape().heads * shape().value_dim) +
           AlignedBytes(sizeof(float) * shape().key_heads * shape().key_dim);
  }

  void Forward(const RuleCall& call) const override {
    const int channels = shape().heads * shape().value_dim;
    SelectiveScanArgs args = Queries(call);
    args.x = call.inputs[2];
    args.x_stride = channels;
    args.dt = call.inputs[3];
    args.dt_stride = channels;
    args.B = call.inputs[1];
    args.B_stride = args.C_stride;
    Run(call, args);
  }

  // With dt and x of zero a token changes nothing.
  void Read(const RuleCall& call) const override {
    const ArenaScope scope(call.arena);
    const int channels = shape().heads * shape().value_dim;
    const int places = shape().key_heads * shape().key_dim;
    float* zeros = call.arena.Take<float>(channels);
    float* no_places = call.arena.Take<float>(places);
    std::fill_n(zeros, channels, 0.0f);
    std::fill_n(no_places, places, 0.0f);
    SelectiveScanArgs args = Queries(call);
    args.x = args.dt = zeros;
    args.B = no_places;
    Run(call, args);
  }

 private:
  // All but what a token brings: strides of zero.
  SelectiveScanArgs Queries(const RuleCall& call) const {
    SelectiveScanArgs args = {};
    args.A = settings_.Array("a");
    args.C = call.inputs[0];
    args.C_stride = shape().key_heads * shape().key_dim;
    args.D = settings_.Array("d");
    args.state = call.state;
    args.out = call.out;
    args.out_stride = shape().heads * shape().value_dim;
    return args;
  }

  void Run(const RuleCall& call, SelectiveScanArgs args) const {
    const int K = shape().key_dim, V = shape().value_dim;
    const int group = shape().heads / shape().key_heads;
    const float *B = args.B, *C = args.C;
    for (int h = 0; h < shape().heads; ++h) {
      args.B = B + h / group * K;
      args.C = C + h / group * K;
      SelectiveScan(call.tokens, {shape().heads * V, K}, args, h * V,
                    (h + 1) * V);
    }
  }

  Settings settings_;
};

}  // namespace

// Mamba (Gu and Dao 2023): dt after its softplus. By default a is that of the
// paper's initial values, -1, -2, ..., and d is 0.
RuleSpec Mamba1Rule() {
  return {
      .name = "mamba1",
      .inputs = {{"c", Extent::kKey, Role::kQuery},
                 {"b", Extent::kKey, Role::kKey},
                 {"x", Extent::kValue, Role::kValue},
                 {"dt", Extent::kValue, Role::kGate, 1}},
      .settings = {{.name = "a",
                    .least = -1e4,
                    .most = 0,
                    .extent = Extent::kValueKey,
                    .at = [](const MemoryShape&, int,
                             int n) { return -static_cast<float>(n + 1); }},
                   {.name = "d",
                    .least = -1e6,
                    .most = 1e6,
                    .extent = Extent::kValue,
                    .at = [](const MemoryShape&, int, int) { return 0.0f; }}},
      .make = [](const MemoryShape& given,
                 const Settings& settings) -> std::unique_ptr<Rule> {
        return std::make_unique<Mamba1>(given, settings);
      },
      .pads = false};
}

}  // namespace fastweights
