// SPDX-License-Identifier: MIT

// Softmax attention with grouped heads (Vaswani et al. 2017, Ainslie et al.
// 2023) and, as a model has them, normalised queries and keys, rotary positions
// on some or all dims and an output gate:
//
//   [q_h | gate_h] = W_query x per head, or q = W_query x without gates
//   k, v = W_key x, W_value x
//   q, k = rope(rms_norm(q)), rope(rms_norm(k))
//   out = W_output (attention(q, k, v) * sigmoid(gate))
//
// Sizes in the plan: query_heads, kv_heads, key_dim (of values too); and where
// they are not what is said here: window (0: all positions; pages of the others
// are kept), has_gate (0), scale (1 / sqrt(key_dim)),
// rotary_dim (0: no positions), rope_base, rope_neighbours (0: pairs of
// halves), whole_norm (0: norms of each head; 1: of all heads together),
// norm_epsilon, output_scale (1), kv_type (0: the first KvType). Tensors:
// query, key, value, output; where there are such query_norm, key_norm and the
// biases query_bias, key_bias, value_bias, output_bias.

#include <algorithm>
#include <cmath>

#include "kernels/activations.h"
#include "kernels/rms_norm.h"
#include "kernels/rope.h"
#include "mixers/mixer.h"
#include "mixers/projection.h"

namespace fastweights {
namespace {

// Tokens of one task between the products.
constexpr int kTaskTokens = 16;
// In passes of up to so many tokens threads share a row's runs; there is room
// for the sums of so many runs of one token at once.
constexpr int kSharedTokens = 16;
constexpr int kSharedRuns = 32;
// They do so where each would get fewer tasks than this.
constexpr int kTasksPerThread = 4;

class SoftmaxAttentionMixer final : public Mixer {
 public:
  SoftmaxAttentionMixer(int model_dim, const MixerPlan& plan, Weights& weights)
      : dim_(plan.Size("key_dim")),
        shape_{.query_heads = plan.Size("query_heads"),
               .kv_heads = plan.Size("kv_heads"),
               .key_dim = dim_,
               .value_dim = dim_,
               .scale = static_cast<float>(plan.Number(
                   "scale", 1.0f / std::sqrt(static_cast<float>(dim_)))),
               .window = plan.Size("window", 0),
               .kv_type = static_cast<KvType>(plan.Size("kv_type", 0))},
        has_gate_(plan.Size("has_gate", 0) != 0),
        whole_norm_(plan.Size("whole_norm", 0) != 0),
        rotary_dim_(plan.Size("rotary_dim", 0)),
        rope_base_(static_cast<float>(plan.Number("rope_base", 0))),
        rope_pairs_(plan.Size("rope_neighbours", 0) != 0
                        ? RopePairs::kNeighbours
                        : RopePairs::kHalves),
        epsilon_(static_cast<float>(plan.Number("norm_epsilon", 0))),
        query_(
            MakeProjection("query", QueryStride(), model_dim, plan, weights)),
        key_(MakeProjection("key", KvChannels(), model_dim, plan, weights)),
        value_(MakeProjection("value", KvChannels(), model_dim, plan, weights)),
        output_(MakeProjection("output", model_dim, QueryChannels(), plan,
                               weights)) {
    const auto norm = [&](const char* role, int channels) {
      return plan.Has(role) ? weights.Vector(plan.Tensor(role),
                                             whole_norm_ ? channels : dim_)
                            : nullptr;
    };
    query_norm_ = norm("query_norm", QueryChannels());
    key_norm_ = norm("key_norm", KvChannels());
  }

  size_t KvPageFloats() const override {
    return static_cast<size_t>(fastweights::KvPageFloats(shape_));
  }

  void ClearKvPage(int first, float* page) const override {
    ClearKeysAndValues(first, shape_, page);
  }

  size_t ScratchBytes(int tokens) const override {
    return std::max(RowBytes(tokens),
                    RowBytes(std::min(tokens, kSharedTokens)) +
                        FloatBytes(SharedSums(), 1));
  }

  size_t ThreadScratchBytes() const override {
    return FloatBytes(AttentionScratchFloats(shape_), 1);
  }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    Workspace& workspace = x.workspace();
    Arena& arena = workspace.arena();
    const int tokens = x.tokens();
    float* query_gate = arena.Take<float>(tokens * QueryStride());
    float* inner = arena.Take<float>(tokens * QueryChannels());
    float* k = arena.Take<float>(tokens * KvChannels());
    float* v = arena.Take<float>(tokens * KvChannels());
    float* cos = arena.Take<float>(tokens * rotary_dim_ / 2);
    float* sin = arena.Take<float>(tokens * rotary_dim_ / 2);

    const MatrixProduct products[] = {key_.To(k), value_.To(v),
                                      query_.To(query_gate)};
    MultiplyAndLeave(products, pass.texts, x, out);
    key_.Finish(tokens, k, workspace);
    value_.Finish(tokens, v, workspace);
    query_.Finish(x.tokens(), query_gate, workspace);

    int first = 0, first_wanted = 0;
    for (const Stretch& text : pass.texts) {
      float* query = query_gate + first_wanted * QueryStride();
      float* key = k + first * KvChannels();
      SoftmaxAttentionArgs args = {
          .q = query,
          .q_stride = QueryStride(),
          .q_head_stride = QueryHeadStride(),
          .k = key,
          .v = v + first * KvChannels(),
          .cache = text.state.cache,
          .position = text.position,
          .out = inner + first_wanted * QueryChannels()};
      const int unasked = text.tokens - text.wanted;
      Prepare(args, text.tokens, unasked, query, key, cos, sin, workspace);
      args.position += unasked;
      Attend(args, text.wanted, tokens <= kSharedTokens, workspace);
      first += text.tokens;
      first_wanted += text.wanted;
    }
    ProductInput gated(x.tokens(), QueryChannels(), inner, workspace);
    output_.Multiply(gated, out);
  }

 private:
  int QueryChannels() const { return shape_.query_heads * dim_; }
  int KvChannels() const { return shape_.kv_heads * dim_; }
  // A head's query, and its gate behind it.
  int QueryHeadStride() const { return has_gate_ ? 2 * dim_ : dim_; }
  int QueryStride() const { return shape_.query_heads * QueryHeadStride(); }

  size_t RowBytes(int tokens) const {
    return FloatBytes(tokens, QueryStride()) +
           FloatBytes(tokens, QueryChannels()) +
           2 * FloatBytes(tokens, KvChannels()) +
           2 * FloatBytes(tokens, rotary_dim_ / 2) +
           ProductInput::ScratchBytes(tokens, QueryChannels());
  }
  // Floats of the sums of runs that are computed at once, and of those before.
  size_t SharedSums() const {
    return static_cast<size_t>(kSharedRuns + kSharedTokens) *
           shape_.query_heads * RunSumFloats(shape_);
  }

  // Normalises and turns queries, which the first tokens `unasked` have none
  // of, and keys in place, and puts keys and values into the cache.
  void Prepare(const SoftmaxAttentionArgs& args, int tokens, int unasked,
               float* query_gate, float* k, float* cos, float* sin,
               Workspace& workspace) const {
    const ProfileScope scope(workspace.profile(), {"query and key norm, rope"});
    const int pairs = rotary_dim_ / 2;
    ForRanges(workspace.threads(), tokens, kTaskTokens, [&](int from, int to) {
      if (pairs > 0) {
        RopeAngles(to - from, args.position + from, rotary_dim_, rope_base_,
                   cos + from * pairs, sin + from * pairs);
      }
      for (int t = from; t < to; ++t) {
        const auto prepare = [&](int heads, int stride, const Values* norm,
                                 float* x) {
          if (norm != nullptr && whole_norm_) {
            RmsNorm(1, heads * dim_, x, 0, norm->data(), epsilon_, x, 0);
          } else if (norm != nullptr) {
            RmsNorm(heads, dim_, x, stride, norm->data(), epsilon_, x, stride);
          }
          Rope(heads, rotary_dim_, rope_pairs_, cos + t * pairs,
               sin + t * pairs, x, stride);
        };
        prepare(shape_.kv_heads, dim_, key_norm_.get(), k + t * KvChannels());
        if (t < unasked) continue;
        prepare(shape_.query_heads, QueryHeadStride(), query_norm_.get(),
                query_gate + (t - unasked) * QueryStride());
      }
      AppendKeysAndValues(from, to, shape_, args);
    });
  }

  // inner = attention * sigmoid(gate)
  void Attend(const SoftmaxAttentionArgs& args, int tokens, bool may_share,
              Workspace& workspace) const {
    // Two products of every query head with each position up to its own.
    double positions = tokens * (args.position + 0.5 * (tokens + 1));
    if (shape_.window > 0) {
      positions = std::min(positions, 1.0 * tokens * shape_.window);
    }
    const ProfileScope scope(workspace.profile(), {"softmax attention"},
                             {4.0 * QueryChannels() * positions, 0});
    const int group = shape_.query_heads / shape_.kv_heads;
    const int rows = tokens * group;
    const int threads = workspace.threads().sharing();
    const int runs = (args.position + tokens - 1) / kRunTokens + 1 -
                     FirstSeen(shape_, args.position) / kRunTokens;
    const int blocks = (rows + kAttentionRows - 1) / kAttentionRows;
    if (may_share && runs > 1 && threads > 1 &&
        blocks * shape_.kv_heads < kTasksPerThread * threads) {
      ShareRuns(args, tokens, workspace);
      return;
    }
    // Where there are few rows, as many tasks as threads; each reads all the
    // keys, so no more.
    const int shares = std::max(1, threads / shape_.kv_heads);
    const int task_rows =
        std::clamp((rows + shares - 1) / shares, 1, kAttentionRows);
    const int tasks = (rows + task_rows - 1) / task_rows;
    const int heads = threads > 1 ? 1 : HeadsTogether(rows, shape_.kv_heads);
    const int parts = (shape_.kv_heads + heads - 1) / heads;
    workspace.threads().For(parts * tasks, [&](int task, int thread) {
      Arena& arena = workspace.thread_arena(thread);
      const ArenaScope scope(arena);
      float* scratch = arena.Take<float>(AttentionScratchFloats(shape_));
      const int from = task % tasks * task_rows;
      const AttentionRows part =
          Part(task / tasks * heads, heads, from, from + task_rows, rows);
      SoftmaxAttentionStreaming(shape_, args, part, scratch);
      for (int h = part.head; h < part.head_end; ++h) {
        for (int r = part.first; r < part.end; ++r) Gate(args, h, r);
      }
    });
  }

  // Rows [from, to) of `heads` heads from `head` on, as far as there are such.
  AttentionRows Part(int head, int heads, int from, int to, int rows) const {
    return {head, std::min(head + heads, shape_.kv_heads), from,
            std::min(to, rows)};
  }

  // The same with the runs of few rows as tasks.
  void ShareRuns(const SoftmaxAttentionArgs& args, int tokens,
                 Workspace& workspace) const {
    const ArenaScope scope(workspace.arena());
    const int all = tokens * shape_.query_heads, rows = all / shape_.kv_heads;
    const int width = RunSumFloats(shape_);
    float* so_far = workspace.arena().Take<float>(all * width);
    const int at_once = kSharedRuns / tokens;
    float* sums = workspace.arena().Take<float>(at_once * all * width);
    const int blocks = (rows + kAttentionRows - 1) / kAttentionRows;
    const int end = (args.position + tokens - 1) / kRunTokens + 1;
    for (int run = FirstSeen(shape_, args.position) / kRunTokens; run < end;
         run += at_once) {
      const int runs = std::min(at_once, end - run);
      const int threads = workspace.threads().sharing();
      const int heads = runs < kTasksPerThread * threads
                            ? 1
                            : HeadsTogether(rows, shape_.kv_heads);
      const int parts = (shape_.kv_heads + heads - 1) / heads;
      const int tasks = parts * blocks;
      workspace.threads().For(runs * tasks, [&](int task, int thread) {
        Arena& arena = workspace.thread_arena(thread);
        const ArenaScope scope(arena);
        const int head = task % tasks / blocks * heads;
        const int from = task % blocks * kAttentionRows;
        const AttentionRows part =
            Part(head, heads, from, from + kAttentionRows, rows);
        float* at = sums + (task / tasks * all + head * rows + from) * width;
        SoftmaxAttentionRun(shape_, args, part, run + task / tasks, at,
                            arena.Take<float>(AttentionScratchFloats(shape_)));
      });
      workspace.threads().For(all, [&](int row, int) {
        SoftmaxAttentionJoin(shape_, args, row / rows, row % rows, run,
                             run + runs, sums + row * width, all * width,
                             so_far + row * width);
        if (run + runs == end) Gate(args, row / rows, row % rows);
      });
    }
  }

  // out *= sigmoid(gate), where there is one, for row r of a head's.
  void Gate(const SoftmaxAttentionArgs& args, int kv_head, int r) const {
    if (!has_gate_) return;
    const int group = shape_.query_heads / shape_.kv_heads;
    const int head = kv_head * group + r % group;
    float* out = args.out + (r / group * shape_.query_heads + head) * dim_;
    const float* q = args.q + r / group * args.q_stride;
    SigmoidGate(dim_, out, q + head * args.q_head_stride + dim_, out);
  }

  int dim_;
  SoftmaxAttentionShape shape_;
  bool has_gate_, whole_norm_;
  int rotary_dim_;
  float rope_base_;
  RopePairs rope_pairs_;
  float epsilon_;
  Projection query_, key_, value_, output_;
  std::unique_ptr<Values> query_norm_, key_norm_;
};

}  // namespace

std::unique_ptr<Mixer> MakeSoftmaxAttentionMixer(int model_dim,
                                                 const MixerPlan& plan,
                                                 Weights& weights) {
  return std::make_unique<SoftmaxAttentionMixer>(model_dim, plan, weights);
}

}  // namespace fastweights
