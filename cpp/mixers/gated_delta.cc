// SPDX-License-Identifier: MIT

// A gated delta net layer (Yang et al., Gated Delta Networks, 2024), as in
// Qwen3.5 and Qwen3-Next:
//
//   q, k, v = silu(conv(W_qkv x));  q = l2(q) / sqrt(key_dim),  k = l2(k)
//   g = decay * softplus(W_alpha x + dt_bias);  beta = sigmoid(W_beta x)
//   o = gated delta rule;  out = W_output (rms_norm(o) * silu(W_gate x))
//
// Sizes in the plan: key_heads, value_heads, key_dim, value_dim, conv_width,
// norm_epsilon. Tensors: qkv, gate, alpha, beta, conv, dt_bias, decay (which
// holds -exp(A_log)), norm, output. Value head j reads key head
// j % key_heads, or with grouped_heads (1) j / (value_heads / key_heads).

#include <algorithm>
#include <cmath>

#include "kernels/activations.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/rms_norm.h"
#include "kernels/short_conv.h"
#include "mixers/mixer.h"

namespace fastweights {
namespace {

// Inside the square root of the l2 norm of q and k, whatever the model's own
// epsilon (the reference implementations fix it).
constexpr float kL2Epsilon = 1e-6f;

// Tokens of one head that go from the convolution to the gated norm together:
// of 128 dims each, the four arrays are 128 KB.
constexpr int kTaskTokens = 64;

class GatedDeltaMixer final : public Mixer {
 public:
  GatedDeltaMixer(int model_dim, const MixerPlan& plan, Weights& weights)
      : shape_{.decay = Decay::kPerHead,
               .erase = Erase::kDelta,
               .order = plan.Size("grouped_heads", 0) != 0 ? KeyHeads::kGrouped
                                                           : KeyHeads::kTiled,
               .heads = plan.Size("value_heads"),
               .key_heads = plan.Size("key_heads"),
               .key_dim = plan.Size("key_dim"),
               .value_dim = plan.Size("value_dim")},
        conv_width_(plan.Size("conv_width")),
        epsilon_(static_cast<float>(plan.Number("norm_epsilon"))),
        qkv_(weights.Matrix(plan.Tensor("qkv"), channels(), model_dim)),
        gate_(weights.Matrix(plan.Tensor("gate"), value_channels(), model_dim)),
        alpha_(weights.Matrix(plan.Tensor("alpha"), shape_.heads, model_dim)),
        beta_(weights.Matrix(plan.Tensor("beta"), shape_.heads, model_dim)),
        conv_(weights.Transposed(plan.Tensor("conv"), channels(), conv_width_)),
        dt_bias_(weights.Vector(plan.Tensor("dt_bias"), shape_.heads)),
        decay_(weights.Vector(plan.Tensor("decay"), shape_.heads)),
        norm_(weights.Vector(plan.Tensor("norm"), shape_.value_dim)),
        output_(weights.Matrix(plan.Tensor("output"), model_dim,
                               value_channels())) {}

  size_t StateFloats() const override {
    return RecurrentFloats() +
           static_cast<size_t>(conv_width_ - 1) * channels();
  }

  StateMatrices Matrices() const override { return MatricesOf(shape_); }
  void ReadMatrix(int head, int position, float* constant,
                  float* out) const override {
    ReadRecurrence(shape_, head, position, constant, out);
  }
  void CopyChanged(int position, int tokens, const float* from,
                   float* to) const override {
    CopyChangedRecurrence(shape_, position, tokens, StateFloats(), from, to);
  }

  size_t ScratchBytes(int tokens) const override {
    return FloatBytes(tokens, channels()) +
           FloatBytes(tokens, value_channels()) +
           2 * FloatBytes(tokens, shape_.heads) +
           ProductInput::ScratchBytes(tokens, value_channels());
  }

  int UndoFloats() const override { return channels() + 2 * shape_.heads; }
  void ReadAgain(const Stretch& text, Workspace& workspace) const override {
    Arena& arena = workspace.arena();
    const ArenaScope scope(arena);
    const int tokens = text.tokens, heads = shape_.heads;
    const Projections p = {
        .qkv = arena.Take<float>(tokens * channels()),
        .gate = nullptr,
        .g = arena.Take<float>(tokens * heads),
        .beta = arena.Take<float>(tokens * heads),
    };
    TakeFromUndo(text, UndoOf(channels(), 0), p.qkv);
    TakeFromUndo(text, UndoOf(heads, channels()), p.g);
    TakeFromUndo(text, UndoOf(heads, channels() + heads), p.beta);
    Mix({&text, 1}, p, workspace);
  }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    Workspace& workspace = x.workspace();
    Arena& arena = workspace.arena();
    const int tokens = x.tokens(), heads = shape_.heads;
    const Projections p = {
        .qkv = arena.Take<float>(tokens * channels()),
        .gate = arena.Take<float>(tokens * value_channels()),
        .g = arena.Take<float>(tokens * heads),
        .beta = arena.Take<float>(tokens * heads),
    };
    const MatrixProduct products[] = {
        qkv_->To(p.qkv),
        alpha_->To(p.g),
        beta_->To(p.beta),
        gate_->To(p.gate),
    };
    MultiplyAndLeave(products, pass.texts, x, out);

    KeepForUndo(pass.texts, UndoOf(channels(), 0), p.qkv);
    KeepForUndo(pass.texts, UndoOf(heads, channels()), p.g);
    KeepForUndo(pass.texts, UndoOf(heads, channels() + heads), p.beta);
    Mix(pass.texts, p, workspace);
    ProductInput gated(x.tokens(), value_channels(), p.gate, workspace);
    output_->Multiply(gated, out, output_->rows());
  }

 private:
  int value_channels() const { return shape_.heads * shape_.value_dim; }
  int channels() const {
    return 2 * shape_.key_heads * shape_.key_dim + value_channels();
  }
  size_t RecurrentFloats() const {
    return static_cast<size_t>(shape_.heads) * ChunkStateFloats(shape_);
  }

  UndoPart UndoOf(int floats, int offset) const {
    return {floats, offset, UndoFloats()};
  }

  // The products of a layer's input, [tokens] of each, of the gate [wanted];
  // what the layer makes of them takes their place: normalised q and k, o in
  // that of v, the gated output in that of the gate.
  struct Projections {
    float* qkv;   // [channels]
    float* gate;  // [value_channels]; null: the output is not wanted
    float* g;     // [heads]
    float* beta;  // [heads]
  };

  // All that lies between the products. A key head with its value heads knows
  // nothing of the others: it is done for some tokens of one at a time, which
  // stay in the cache.
  void Mix(std::span<const Stretch> texts, const Projections& p,
           Workspace& workspace) const {
    workspace.threads().For(shape_.key_heads, [&](int key_head, int thread) {
      Profile* profile = thread == 0 ? workspace.profile() : nullptr;
      int first = 0, first_wanted = 0;
      for (const Stretch& text : texts) {
        for (int from = 0; from < text.tokens; from += kTaskTokens) {
          const int count = std::min(kTaskTokens, text.tokens - from);
          const WantedPart wanted(text, from, count);
          const int row = first_wanted + wanted.before;
          const Gated gated = {
              p.gate ? p.gate + row * value_channels() : nullptr,
              wanted.skipped};
          KeyHead(key_head, text.position + from, first + from, count, p,
                  text.state, gated, profile);
        }
        first += text.tokens;
        first_wanted += text.wanted;
      }
    });
  }

  // Where a part's gates are, after so many tokens that have none.
  struct Gated {
    float* gate;  // null: the output is not wanted
    int skipped;
  };

  // Rows [from, from + count), the tokens at `position` and on of a text, of a
  // key head and of the value heads that read it.
  void KeyHead(int key_head, int position, int from, int count,
               const Projections& p, const MixerState& text, const Gated& gated,
               Profile* profile) const {
    float* state = text.constant;
    const int stride = channels();
    const int key_channels = shape_.key_heads * shape_.key_dim;
    float* qkv = p.qkv + from * stride;
    {
      const ProfileScope scope(profile, {"convolution, query and key norm"});
      const int query = key_head * shape_.key_dim;
      Convolve(count, query, shape_.key_dim, state, qkv);
      Convolve(count, key_channels + query, shape_.key_dim, state, qkv);
      const float scale = 1.0f / std::sqrt(static_cast<float>(shape_.key_dim));
      L2Normalise(count, shape_.key_dim, qkv + query, stride, kL2Epsilon,
                  scale);
      L2Normalise(count, shape_.key_dim, qkv + key_channels + query, stride,
                  kL2Epsilon, 1.0f);
    }
    const LinearRecurrenceArgs args = {
        .q = qkv,
        .q_stride = stride,
        .k = qkv + key_channels,
        .k_stride = stride,
        .v = qkv + 2 * key_channels,
        .v_stride = stride,
        .g = p.g + from * shape_.heads,
        .beta = p.beta + from * shape_.heads,
        .state = state,
        .state_stride = ChunkStateFloats(shape_),
        .trace = text.trace,
        .out = qkv + 2 * key_channels,
        .out_stride = stride,
    };
    const int readers = shape_.heads / shape_.key_heads;
    const bool grouped = shape_.order == KeyHeads::kGrouped;
    for (int reader = 0; reader < readers; ++reader) {
      const int h = grouped ? key_head * readers + reader
                            : key_head + reader * shape_.key_heads;
      const int value = 2 * key_channels + h * shape_.value_dim;
      {
        const ProfileScope scope(profile, {"convolution, query and key norm"});
        Convolve(count, value, shape_.value_dim, state, qkv);
      }
      {
        const ProfileScope scope(profile, {"gates"});
        Gates(count, h, p.g + from * shape_.heads,
              p.beta + from * shape_.heads);
      }
      {
        const ProfileScope scope(
            profile, {"recurrence"},
            {7.0 * count * shape_.key_dim * shape_.value_dim, 0});
        // No decay per channel, no scratch.
        LinearRecurrenceChunk(position, count, shape_, args, h, nullptr);
      }
      if (gated.gate != nullptr) {
        const ProfileScope scope(profile, {"gated norm"});
        const int skipped = gated.skipped;
        RmsNormGated(count - skipped, shape_.value_dim,
                     qkv + skipped * stride + value, stride, norm_->data(),
                     epsilon_, gated.gate + h * shape_.value_dim,
                     value_channels());
      }
    }
  }

  // Channels [first, first + count) of the convolution, in place.
  void Convolve(int tokens, int first, int count, float* state,
                float* qkv) const {
    ShortConv(tokens, count, conv_width_,
              {.weight = conv_->data() + first,
               .state = state + RecurrentFloats() + first,
               .stride = channels(),
               .x = qkv + first,
               .x_stride = channels()});
  }

  // One head's log decay and beta from W_alpha x and W_beta x, in place.
  void Gates(int tokens, int head, float* g, float* beta) const {
    const float decay = decay_->data()[head], bias = dt_bias_->data()[head];
    for (int i = head; i < tokens * shape_.heads; i += shape_.heads) {
      g[i] = decay * Softplus(g[i] + bias);
      beta[i] = Sigmoid(beta[i]);
    }
  }

  LinearRecurrenceShape shape_;
  int conv_width_;
  float epsilon_;
  std::unique_ptr<Linear> qkv_, gate_, alpha_, beta_;
  std::unique_ptr<Values> conv_, dt_bias_, decay_, norm_;
  std::unique_ptr<Linear> output_;
};

}  // namespace

std::unique_ptr<Mixer> MakeGatedDeltaMixer(int model_dim, const MixerPlan& plan,
                                           Weights& weights) {
  return std::make_unique<GatedDeltaMixer>(model_dim, plan, weights);
}

}  // namespace fastweights
