// SPDX-License-Identifier: MIT

// Linear attention with a state of its own for each head, in the forms that
// flash-linear-attention's models have:
//
//   q, k, v as in head_inputs.h, log decays g as in decay_gate.h
//   S <- e^g S + k u^T, u = v or, by the delta rule, beta (v - (e^g S)^T k)
//   out as in head_outputs.h of o = S^T q
//
// Sizes in the plan beside theirs: delta (0), beta_scale (1). Tensors: beta,
// without which beta is beta_scale. Value head j reads key head j /
// (value_heads / key_heads), or query head j key and value head j /
// (query_heads / key_heads), with a state for each of the more numerous.

#include <algorithm>

#include "kernels/activations.h"
#include "mixers/decay_gate.h"
#include "mixers/head_inputs.h"
#include "mixers/head_outputs.h"
#include "mixers/mixer.h"

namespace fastweights {
namespace {

// Tokens of one head that go from the convolution to the output's norm
// together.
constexpr int kTaskTokens = 64;

class LinearAttentionMixer final : public Mixer {
 public:
  LinearAttentionMixer(int model_dim, const MixerPlan& plan, Weights& weights)
      : inputs_(model_dim, plan, weights),
        decay_(model_dim, heads(), inputs_.key_dim(), plan, weights),
        outputs_(model_dim, inputs_.groups() * readers(), inputs_.value_dim(),
                 plan, weights),
        shape_{
            .decay = decay_.decay(),
            .erase = plan.Size("delta", 0) != 0 ? Erase::kDelta : Erase::kNone,
            .order = KeyHeads::kGrouped,
            .heads = heads(),
            .key_heads = inputs_.groups(),
            .key_dim = inputs_.key_dim(),
            .value_dim = inputs_.value_dim()},
        beta_scale_(static_cast<float>(plan.Number("beta_scale", 1))) {
    if (plan.Has("beta")) {
      beta_ = weights.Matrix(plan.Tensor("beta"), heads(), model_dim);
    }
  }

  size_t StateFloats() const override {
    return RecurrentFloats() + inputs_.StateFloats();
  }

  StateMatrices Matrices() const override {
    return MatricesOf(readers_shape());
  }
  void ReadMatrix(int head, int position, float* constant,
                  float* out) const override {
    ReadRecurrence(readers_shape(), head, position, constant, out);
  }

  size_t ScratchBytes(int tokens) const override {
    return inputs_.ScratchBytes(tokens) + outputs_.ScratchBytes(tokens) +
           decay_.ScratchBytes(tokens) + FloatBytes(tokens, decay_.width()) +
           FloatBytes(tokens, is_delta() ? heads() : 0) +
           FloatBytes(tokens, inputs_.queries() > 1 ? outputs_.channels() : 0);
  }

  size_t ThreadScratchBytes() const override {
    return AlignedBytes(sizeof(float) * ChunkScratchFloats(shape_));
  }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    Workspace& workspace = x.workspace();
    const auto take = [&](int width) {
      return workspace.arena().Take<float>(static_cast<size_t>(x.tokens()) *
                                           width);
    };
    Rows rows;
    rows.inputs = inputs_.Multiply(pass, x);
    rows.g = take(decay_.width());
    rows.beta = take(is_delta() ? heads() : 0);
    decay_.Multiply(x, rows.g);
    if (beta_) beta_->Multiply(x, rows.beta, heads());
    LeaveWanted(pass.texts, x, out);
    rows.inner = outputs_.Multiply(x);
    // What several heads read of one value cannot take its place.
    const bool apart = inputs_.queries() > 1;
    rows.read = apart ? take(outputs_.channels())
                      : rows.inputs.qkv + inputs_.value_at();
    rows.read_stride = apart ? outputs_.channels() : inputs_.channels();

    const int groups = inputs_.groups();
    const int texts = static_cast<int>(pass.texts.size());
    workspace.threads().For(groups * texts, [&](int task, int thread) {
      int first = 0, first_wanted = 0;
      for (int i = 0; i < task / groups; ++i) {
        first += pass.texts[i].tokens;
        first_wanted += pass.texts[i].wanted;
      }
      const Stretch& text = pass.texts[task / groups];
      Arena& arena = workspace.thread_arena(thread);
      const ArenaScope scope(arena);
      float* scratch = arena.Take<float>(ChunkScratchFloats(shape_));
      Profile* profile = thread == 0 ? workspace.profile() : nullptr;
      for (int from = 0; from < text.tokens; from += kTaskTokens) {
        const int count = std::min(kTaskTokens, text.tokens - from);
        WantedPart wanted(text, from, count);
        wanted.before += first_wanted;
        Group(task % groups, text.position + from, first + from, count, rows,
              text.state, wanted, scratch, profile);
      }
    });
    float* all = apart ? rows.read : rows.inputs.qkv;
    CopyWanted(pass.texts, rows.read_stride, all, all);
    outputs_.Project(x.tokens(), rows.read, rows.read_stride, rows.inner,
                     workspace, out);
  }

 private:
  // Of values, gates and betas; what reads them of each key head; states.
  int heads() const { return inputs_.groups() * inputs_.values(); }
  int readers() const { return std::max(inputs_.queries(), inputs_.values()); }
  // With a head for each state.
  LinearRecurrenceShape readers_shape() const {
    LinearRecurrenceShape shape = shape_;
    shape.heads = inputs_.groups() * readers();
    return shape;
  }
  bool is_delta() const { return shape_.erase == Erase::kDelta; }
  size_t RecurrentFloats() const {
    return static_cast<size_t>(inputs_.groups()) * readers() *
           ChunkStateFloats(shape_);
  }

  // The products of a layer's input, [tokens] of each, of inner [wanted]; what
  // becomes of them takes their place.
  struct Rows {
    HeadInputs::Rows inputs;
    float* g;      // [decay_.width()]
    float* beta;   // [heads()]
    float* inner;  // [outputs_.channels()]
    float* read;   // [outputs_.channels()], rows read_stride apart
    int read_stride;
  };

  // Rows [from, from + count), the tokens at `position` and on of a text, of a
  // key head and all that belongs to it.
  void Group(int group, int position, int from, int count, const Rows& rows,
             const MixerState& text, const WantedPart& wanted, float* scratch,
             Profile* profile) const {
    float* state = text.constant;
    const int stride = inputs_.channels();
    float* qkv = rows.inputs.qkv + static_cast<size_t>(from) * stride;
    float* g = rows.g + static_cast<size_t>(from) * decay_.width();
    float* beta = rows.beta + from * heads();
    float* read = rows.read + static_cast<size_t>(from) * rows.read_stride;
    float* inner =
        rows.inner + static_cast<size_t>(wanted.before) * outputs_.channels();
    {
      const ProfileScope scope(profile, {"convolution, query and key norm"});
      inputs_.Prepare(group, from, count, rows.inputs,
                      state + RecurrentFloats());
    }
    {
      const ProfileScope scope(profile, {"gates"});
      float* k = qkv + inputs_.key_at() + group * shape_.key_dim;
      for (int j = 0; j < inputs_.values(); ++j) {
        const int head = group * inputs_.values() + j;
        decay_.Apply(count, head, g, k, stride);
        if (is_delta()) Betas(count, head, beta);
      }
    }
    for (int j = 0; j < readers(); ++j) {
      // The kernel counts heads of values: where several queries read one, it
      // is given each with its own state in the place of the first.
      const int reader = group * readers() + j;
      const int head = inputs_.values() > 1 ? reader : group;
      const int ahead = reader - head;
      const int query = inputs_.queries() > 1 ? ahead : 0;
      float* trace = text.trace == nullptr
                         ? nullptr
                         : text.trace + static_cast<size_t>(ahead) *
                                            RecurrenceTraceFloats(shape_);
      decay_.ApplyConstant(count, head, reader, g);
      {
        const ProfileScope scope(
            profile, {"recurrence"},
            {7.0 * count * shape_.key_dim * shape_.value_dim, 0});
        LinearRecurrenceChunk(position, count, shape_,
                              {.q = qkv + query * shape_.key_dim,
                               .q_stride = stride,
                               .k = qkv + inputs_.key_at(),
                               .k_stride = stride,
                               .v = qkv + inputs_.value_at(),
                               .v_stride = stride,
                               .g = g,
                               .beta = beta,
                               .state = state + static_cast<size_t>(ahead) *
                                                    ChunkStateFloats(shape_),
                               .state_stride = ChunkStateFloats(shape_),
                               .trace = trace,
                               .out = read + ahead * shape_.value_dim,
                               .out_stride = rows.read_stride},
                              head, scratch);
      }
      const ProfileScope scope(profile, {"gated norm"});
      outputs_.NormaliseHead(
          count - wanted.skipped, reader,
          read + wanted.skipped * rows.read_stride + reader * shape_.value_dim,
          rows.read_stride, inner);
    }
  }

  // One head's betas from W_beta x, in place.
  void Betas(int tokens, int head, float* beta) const {
    for (int i = head; i < tokens * heads(); i += heads()) {
      beta[i] = beta_scale_ * (beta_ ? Sigmoid(beta[i]) : 1.0f);
    }
  }

  HeadInputs inputs_;
  DecayGate decay_;
  HeadOutputs outputs_;
  LinearRecurrenceShape shape_;
  float beta_scale_;
  std::unique_ptr<Linear> beta_;
};

}  // namespace

std::unique_ptr<Mixer> MakeLinearAttentionMixer(int model_dim,
                                                const MixerPlan& plan,
                                                Weights& weights) {
  return std::make_unique<LinearAttentionMixer>(model_dim, plan, weights);
}

}  // namespace fastweights
