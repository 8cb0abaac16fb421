// SPDX-License-Identifier: MIT

// A softmax attention layer with grouped heads, normalised queries and keys,
// partial rotary positions and an output gate, as in Qwen3.5 and Qwen3-Next:
//
//   [q_h | gate_h] = W_q x per head;  k, v = W_k x, W_v x
//   q, k = rope(rms_norm(q)), rope(rms_norm(k))
//   out = W_output (attention(q, k, v) * sigmoid(gate))
//
// Sizes in the plan: query_heads, kv_heads, key_dim (of values too),
// rotary_dim, rope_base, norm_epsilon. Tensors: query, key, value, query_norm,
// key_norm, output.

#include <algorithm>
#include <cmath>

#include "kernels/activations.h"
#include "kernels/rms_norm.h"
#include "kernels/rope.h"
#include "mixers/mixer.h"

namespace fastweights {
namespace {

// Tokens of one task between the products.
constexpr int kTaskTokens = 16;

class SoftmaxAttentionMixer final : public Mixer {
 public:
  SoftmaxAttentionMixer(int model_dim, const LayerPlan& plan, Weights& weights)
      : dim_(plan.Size("key_dim")),
        shape_{.query_heads = plan.Size("query_heads"),
               .kv_heads = plan.Size("kv_heads"),
               .key_dim = dim_,
               .value_dim = dim_,
               .scale = 1.0f / std::sqrt(static_cast<float>(dim_))},
        rotary_dim_(plan.Size("rotary_dim")),
        rope_base_(static_cast<float>(plan.Number("rope_base"))),
        epsilon_(static_cast<float>(plan.Number("norm_epsilon"))),
        query_(weights.Matrix(plan.Tensor("query"), 2 * QueryChannels(),
                              model_dim)),
        key_(weights.Matrix(plan.Tensor("key"), KvChannels(), model_dim)),
        value_(weights.Matrix(plan.Tensor("value"), KvChannels(), model_dim)),
        query_norm_(weights.Vector(plan.Tensor("query_norm"), dim_)),
        key_norm_(weights.Vector(plan.Tensor("key_norm"), dim_)),
        output_(weights.Matrix(plan.Tensor("output"), model_dim,
                               QueryChannels())) {}

  size_t KvPageFloats() const override {
    return static_cast<size_t>(fastweights::KvPageFloats(shape_));
  }

  void ClearKvPage(int first, float* page) const override {
    ClearKeysAndValues(first, shape_, page);
  }

  size_t ScratchBytes(int tokens) const override {
    const auto floats = [&](int width) {
      return AlignedBytes(sizeof(float) * static_cast<size_t>(tokens) * width);
    };
    return floats(2 * QueryChannels()) + floats(QueryChannels()) +
           2 * floats(KvChannels()) + 2 * floats(rotary_dim_ / 2) +
           ProductInput::ScratchBytes(tokens, QueryChannels());
  }

  void Forward(std::span<const Stretch> texts, ProductInput& x,
               float* out) override {
    Workspace& workspace = x.workspace();
    Arena& arena = workspace.arena();
    const int tokens = x.tokens();
    float* query_gate = arena.Take<float>(tokens * 2 * QueryChannels());
    float* inner = arena.Take<float>(tokens * QueryChannels());
    float* k = arena.Take<float>(tokens * KvChannels());
    float* v = arena.Take<float>(tokens * KvChannels());
    float* cos = arena.Take<float>(tokens * rotary_dim_ / 2);
    float* sin = arena.Take<float>(tokens * rotary_dim_ / 2);

    query_->Multiply(x, query_gate, 2 * QueryChannels());
    key_->Multiply(x, k, KvChannels());
    value_->Multiply(x, v, KvChannels());

    int first = 0;
    for (const Stretch& text : texts) {
      float* query = query_gate + first * 2 * QueryChannels();
      float* key = k + first * KvChannels();
      const SoftmaxAttentionArgs args = {
          .q = query,
          .q_stride = 2 * QueryChannels(),
          .q_head_stride = 2 * dim_,
          .k = key,
          .v = v + first * KvChannels(),
          .cache = text.state.cache,
          .position = text.position,
          .out = inner + first * QueryChannels()};
      Prepare(args, text.tokens, query, key, cos, sin, workspace);
      Attend(args, text.tokens, query, args.out, workspace);
      first += text.tokens;
    }
    ProductInput gated(tokens, QueryChannels(), inner, workspace);
    output_->Multiply(gated, out, output_->rows());
  }

 private:
  int QueryChannels() const { return shape_.query_heads * dim_; }
  int KvChannels() const { return shape_.kv_heads * dim_; }

  // Normalises and turns queries (the first half of query_gate's heads) and
  // keys in place, and puts keys and values into the cache.
  void Prepare(const SoftmaxAttentionArgs& args, int tokens, float* query_gate,
               float* k, float* cos, float* sin, Workspace& workspace) const {
    const ProfileScope scope(workspace.profile(), {"query and key norm, rope"});
    const int pairs = rotary_dim_ / 2;
    ForRanges(workspace.threads(), tokens, kTaskTokens, [&](int from, int to) {
      RopeAngles(to - from, args.position + from, rotary_dim_, rope_base_,
                 cos + from * pairs, sin + from * pairs);
      for (int t = from; t < to; ++t) {
        float* query = query_gate + t * 2 * QueryChannels();
        float* key = k + t * KvChannels();
        RmsNorm(shape_.query_heads, dim_, query, 2 * dim_, query_norm_->data(),
                epsilon_, query, 2 * dim_);
        RmsNorm(shape_.kv_heads, dim_, key, dim_, key_norm_->data(), epsilon_,
                key, dim_);
        Rope(shape_.query_heads, rotary_dim_, cos + t * pairs, sin + t * pairs,
             query, 2 * dim_);
        Rope(shape_.kv_heads, rotary_dim_, cos + t * pairs, sin + t * pairs,
             key, dim_);
      }
      AppendKeysAndValues(from, to, shape_, args);
    });
  }

  // inner = attention * sigmoid(gate)
  void Attend(const SoftmaxAttentionArgs& args, int tokens,
              const float* query_gate, float* inner,
              Workspace& workspace) const {
    // Two products of every query head with each position up to its own.
    const double positions = tokens * (args.position + 0.5 * (tokens + 1));
    const ProfileScope scope(workspace.profile(), {"softmax attention"},
                             {4.0 * QueryChannels() * positions, 0});
    const int group = shape_.query_heads / shape_.kv_heads;
    const int rows = tokens * group;
    // Where there are few rows, as many tasks as threads; each reads all the
    // keys, so no more.
    const int shares =
        std::max(1, workspace.threads().count() / shape_.kv_heads);
    const int task_rows =
        std::clamp((rows + shares - 1) / shares, 1, kAttentionRows);
    const int blocks = (rows + task_rows - 1) / task_rows;
    workspace.threads().For(shape_.kv_heads * blocks, [&](int task, int) {
      const int kv_head = task / blocks;
      const int from = task % blocks * task_rows;
      const int to = std::min(from + task_rows, rows);
      SoftmaxAttentionStreaming(shape_, args, kv_head, from, to);
      for (int r = from; r < to; ++r) {
        const int row =
            r / group * shape_.query_heads + kv_head * group + r % group;
        SigmoidGate(dim_, inner + row * dim_, query_gate + (2 * row + 1) * dim_,
                    inner + row * dim_);
      }
    });
  }

  int dim_;
  SoftmaxAttentionShape shape_;
  int rotary_dim_;
  float rope_base_;
  float epsilon_;
  std::unique_ptr<Linear> query_, key_, value_;
  std::unique_ptr<Values> query_norm_, key_norm_;
  std::unique_ptr<Linear> output_;
};

}  // namespace

std::unique_ptr<Mixer> MakeSoftmaxAttentionMixer(int model_dim,
                                                 const LayerPlan& plan,
                                                 Weights& weights) {
  return std::make_unique<SoftmaxAttentionMixer>(model_dim, plan, weights);
}

}  // namespace fastweights
