// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernels/softmax_attention/softmax_attention.h"
#include "memory/rule.h"

namespace fastweights {
namespace {

// o = sum_s softmax_s(scale q . k_s) v_s over all keys and values, which are
// kept: what the other rules do without. Values belong to key heads.
class Softmax final : public Rule {
 public:
  Softmax(const MemoryShape& given, const Settings& settings)
      : Rule(given),
        kernel_{
            .query_heads = shape().heads,
            .kv_heads = shape().key_heads,
            .key_dim = shape().key_dim,
            .value_dim = shape().value_dim,
            .scale = static_cast<float>(settings.Number("scale") != 0
                                            ? settings.Number("scale")
                                            : 1 / std::sqrt(given.key_dim))} {}

  std::vector<StateArray> Arrays() const override { return {}; }
  uint64_t StateFloats() const override { return 0; }
  size_t KvPageFloats() const override {
    return fastweights::KvPageFloats(kernel_);
  }
  uint64_t ScratchBytes(int) const override {
    return FloatBytes(AttentionScratchFloats(kernel_), 1);
  }

  void Forward(const RuleCall& call) const override {
    const SoftmaxAttentionArgs args = Args(call);
    AppendKeysAndValues(0, call.tokens, kernel_, args);
    Attend(call.tokens, args, call.arena);
  }

  // Each row is the last token: the one before the position.
  void Read(const RuleCall& call) const override {
    const int values = shape().heads * shape().value_dim;
    if (call.position == 0) {
      std::fill_n(call.out, static_cast<size_t>(call.tokens) * values, 0.0f);
      return;
    }
    SoftmaxAttentionArgs args = Args(call);
    args.position = call.position - 1;
    for (int t = 0; t < call.tokens; ++t) {
      Attend(1, args, call.arena);
      args.q += args.q_stride;
      args.out += values;
    }
  }

 private:
  SoftmaxAttentionArgs Args(const RuleCall& call) const {
    return {.q = call.inputs[0],
            .q_stride = shape().heads * shape().key_dim,
            .q_head_stride = shape().key_dim,
            .k = call.inputs[1],
            .v = call.inputs[2],
            .cache = call.cache,
            .position = call.position,
            .out = call.out};
  }

  void Attend(int tokens, const SoftmaxAttentionArgs& args,
              Arena& arena) const {
    const ArenaScope scope(arena);
    float* scratch = arena.Take<float>(AttentionScratchFloats(kernel_));
    const int rows = tokens * (shape().heads / shape().key_heads);
    const int all = shape().key_heads, heads = HeadsTogether(rows, all);
    for (int h = 0; h < all; h += heads) {
      for (int first = 0; first < rows; first += kAttentionRows) {
        SoftmaxAttentionStreaming(kernel_, args,
                                  {h, std::min(h + heads, all), first,
                                   std::min(first + kAttentionRows, rows)},
                                  scratch);
      }
    }
  }

  SoftmaxAttentionShape kernel_;
};

}  // namespace

// Attention (Vaswani et al. 2017), to compare with: its memory grows. A scale
// of 0 stands for keyDim^-1/2.
RuleSpec SoftmaxRule() {
  return {.name = "softmax",
          .inputs = {{"q", Extent::kHeadKey, Role::kQuery},
                     kKeyInput,
                     {"v", Extent::kKeyHeadValue, Role::kValue}},
          .settings = {{.name = "scale", .least = -1e6, .most = 1e6}},
          .make = [](const MemoryShape& given,
                     const Settings& settings) -> std::unique_ptr<Rule> {
            return std::make_unique<Softmax>(given, settings);
          }};
}

}  // namespace fastweights
