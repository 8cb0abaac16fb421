// SPDX-License-Identifier: MIT

// A Mamba-2 layer (Dao and Gu, Transformers are SSMs, 2024), whose state space
// is a linear attention with a decay per head: C is its query, B its key, dt x
// its value. Heads are in groups that share B and C.
//
//   [z | x | B | C | dt] = W_in u
//   x, B, C = silu(conv(x, B, C));  dt = clamp(softplus(dt + dt_bias))
//   S <- e^(decay dt) S + B (dt x)^T;  y = S^T C + skip x
//   out = W_output rms_norm(y * silu(z))
//
// Sizes in the plan: heads, head_dim, groups, state_dim (of B and C),
// conv_width; and where they are not what is said here: norm_epsilon,
// norm_groups (groups), of channels that are normalised apart,
// norm_before_gate (0; 1: rms_norm(y) * silu(z)), least_dt (0), most_dt
// (infinite), output_scale and the factors z_scale, x_scale, b_scale, c_scale
// and dt_scale of W_in u (1). Tensors: in, conv, dt_bias, decay (which holds
// -exp(A_log)), skip, output; where there are such norm and the biases in_bias,
// conv_bias, output_bias.

#include <algorithm>
#include <cmath>

#include "kernels/activations.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/rms_norm.h"
#include "kernels/short_conv.h"
#include "mixers/mixer.h"
#include "mixers/projection.h"

namespace fastweights {
namespace {

// Tokens of one head that go from the convolution to the gate together.
constexpr int kTaskTokens = 64;
// Tokens of one task that takes whole rows.
constexpr int kTaskRows = 16;
// Floats of one task of the convolution of B and C.
constexpr int kTaskFloats = 4 << 10;

class Mamba2Mixer final : public Mixer {
 public:
  Mamba2Mixer(int model_dim, const MixerPlan& plan, Weights& weights)
      : shape_{.decay = Decay::kPerHead,
               .erase = Erase::kNone,
               .order = KeyHeads::kGrouped,
               .heads = plan.Size("heads"),
               .key_heads = plan.Size("groups"),
               .key_dim = plan.Size("state_dim"),
               .value_dim = plan.Size("head_dim")},
        conv_width_(plan.Size("conv_width")),
        norm_groups_(plan.Size("norm_groups", shape_.key_heads)),
        norm_before_gate_(plan.Size("norm_before_gate", 0) != 0),
        epsilon_(static_cast<float>(plan.Number("norm_epsilon", 0))),
        least_dt_(static_cast<float>(plan.Number("least_dt", 0))),
        most_dt_(static_cast<float>(plan.Number("most_dt", INFINITY))),
        in_(MakeProjection("in", width(), model_dim, plan, weights)),
        conv_(weights.Transposed(plan.Tensor("conv"), conv_channels(),
                                 conv_width_)),
        dt_bias_(weights.Vector(plan.Tensor("dt_bias"), shape_.heads)),
        decay_(weights.Vector(plan.Tensor("decay"), shape_.heads)),
        skip_(weights.Vector(plan.Tensor("skip"), shape_.heads)),
        output_(MakeProjection("output", model_dim, inner(), plan, weights)) {
    if (plan.Has("conv_bias")) {
      conv_bias_ = weights.Vector(plan.Tensor("conv_bias"), conv_channels());
    }
    if (plan.Has("norm")) {
      norm_ = weights.Vector(plan.Tensor("norm"), inner());
    }
    int i = 0;
    for (const char* name :
         {"z_scale", "x_scale", "b_scale", "c_scale", "dt_scale"}) {
      scales_[i++] = static_cast<float>(plan.Number(name, 1));
    }
  }

  size_t StateFloats() const override {
    return RecurrentFloats() +
           static_cast<size_t>(conv_width_ - 1) * conv_channels();
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
    return FloatBytes(tokens, width()) + FloatBytes(tokens, shape_.heads) +
           FloatBytes(tokens, inner()) +
           ProductInput::ScratchBytes(tokens, inner());
  }

  int UndoFloats() const override { return width(); }
  void ReadAgain(const Stretch& text, Workspace& workspace) const override {
    Arena& arena = workspace.arena();
    const ArenaScope scope(arena);
    const int tokens = text.tokens;
    const Rows rows = {
        .in = arena.Take<float>(tokens * width()),
        .g = arena.Take<float>(tokens * shape_.heads),
        .y = arena.Take<float>(tokens * inner()),
    };
    TakeFromUndo(text, {width()}, rows.in);
    Mix({&text, 1}, tokens, rows, workspace);
  }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    Workspace& workspace = x.workspace();
    Arena& arena = workspace.arena();
    const int tokens = x.tokens();
    const Rows rows = {
        .in = arena.Take<float>(tokens * width()),
        .g = arena.Take<float>(tokens * shape_.heads),
        .y = arena.Take<float>(tokens * inner()),
    };
    in_.Multiply(x, rows.in);
    ScaleInputs(tokens, rows.in, workspace);
    KeepForUndo(pass.texts, {width()}, rows.in);
    Mix(pass.texts, tokens, rows, workspace);
    Normalise(tokens, rows, workspace);
    const int wanted = CopyWanted(pass.texts, inner(), rows.y, rows.y);
    ProductInput gated(wanted, inner(), rows.y, workspace);
    output_.Multiply(gated, out);
  }

 private:
  int inner() const { return shape_.heads * shape_.value_dim; }
  int shared() const { return 2 * shape_.key_heads * shape_.key_dim; }
  int conv_channels() const { return inner() + shared(); }
  int width() const { return inner() + conv_channels() + shape_.heads; }
  size_t RecurrentFloats() const {
    return static_cast<size_t>(shape_.heads) * ChunkStateFloats(shape_);
  }

  struct Rows {
    float* in;  // [tokens, width]: z, x, B, C, dt
    float* g;   // [tokens, heads], log decays
    float* y;   // [tokens, inner]

    Rows From(const Mamba2Mixer& mixer, int token) const {
      return {in + token * mixer.width(), g + token * mixer.shape_.heads,
              y + token * mixer.inner()};
    }
  };

  void ScaleInputs(int tokens, float* in, Workspace& workspace) const {
    if (std::all_of(std::begin(scales_), std::end(scales_),
                    [](float scale) { return scale == 1; })) {
      return;
    }
    const int widths[] = {inner(), inner(), shared() / 2, shared() / 2,
                          shape_.heads};
    ForRanges(workspace.threads(), tokens, kTaskRows, [&](int from, int to) {
      float* part = in + from * width();
      for (int t = from; t < to; ++t) {
        for (int i = 0; i < 5; part += widths[i++]) {
          Scale(widths[i], scales_[i], part);
        }
      }
    });
  }

  // All that lies between the products but the norm. What is a head's own knows
  // nothing of the others: all of it is done for some tokens at a time, which
  // stay in the cache.
  void Mix(std::span<const Stretch> texts, int tokens, const Rows& rows,
           Workspace& workspace) const {
    ConvolveShared(texts, tokens, rows.in, workspace);
    workspace.threads().For(shape_.heads, [&](int head, int thread) {
      Profile* profile = thread == 0 ? workspace.profile() : nullptr;
      int first = 0;
      for (const Stretch& text : texts) {
        for (int from = 0; from < text.tokens; from += kTaskTokens) {
          const int count = std::min(kTaskTokens, text.tokens - from);
          Head(head, text.position + from, count,
               rows.From(*this, first + from), text.state, profile);
        }
        first += text.tokens;
      }
    });
  }

  // B and C, which a group's heads share.
  void ConvolveShared(std::span<const Stretch> texts, int tokens, float* in,
                      Workspace& workspace) const {
    const ProfileScope scope(workspace.profile(), {"convolution"});
    const int step = std::max(16, kTaskFloats / tokens / 4 * 4);
    ForRanges(workspace.threads(), shared(), step, [&](int from, int to) {
      float* rows = in;
      for (const Stretch& text : texts) {
        Convolve(text.tokens, inner() + from, to - from, text.state.constant,
                 rows);
        rows += text.tokens * width();
      }
    });
  }

  // Channels [first, first + count) of the convolution, in place.
  void Convolve(int tokens, int first, int count, float* state,
                float* in) const {
    ShortConv(tokens, count, conv_width_,
              {.weight = conv_->data() + first,
               .bias = conv_bias_ ? conv_bias_->data() + first : nullptr,
               .state = state + RecurrentFloats() + first,
               .stride = conv_channels(),
               .x = in + inner() + first,
               .x_stride = width()});
  }

  // A head's tokens at `position` and on of a text.
  void Head(int head, int position, int tokens, const Rows& rows,
            const MixerState& text, Profile* profile) const {
    float* state = text.constant;
    const int dim = shape_.value_dim, at = head * dim;
    const float* x = rows.in + inner() + at;
    {
      const ProfileScope scope(profile, {"convolution"});
      Convolve(tokens, at, dim, state, rows.in);
    }
    {
      const ProfileScope scope(profile, {"gates"});
      Gates(tokens, head, rows);
    }
    {
      const ProfileScope scope(
          profile, {"recurrence"},
          {5.0 * tokens * shape_.key_dim * shape_.value_dim, 0});
      const float* B = rows.in + 2 * inner();
      const LinearRecurrenceArgs args = {
          .q = B + shared() / 2,
          .q_stride = width(),
          .k = B,
          .k_stride = width(),
          .v = rows.y,
          .v_stride = inner(),
          .g = rows.g,
          .beta = nullptr,
          .state = state,
          .state_stride = ChunkStateFloats(shape_),
          .trace = text.trace,
          .out = rows.y,
          .out_stride = inner(),
      };
      // No decay per channel, no scratch.
      LinearRecurrenceChunk(position, tokens, shape_, args, head, nullptr);
    }
    const ProfileScope scope(profile, {"gated norm"});
    for (int t = 0; t < tokens; ++t) {
      float* y = rows.y + t * inner() + at;
      AddScaled(dim, skip_->data()[head], x + t * width(), y);
      if (!norm_before_gate_) {
        SwiGlu(dim, rows.in + t * width() + at, y, y);
      }
    }
  }

  // Of one head g, and dt x in the place of y.
  void Gates(int tokens, int head, const Rows& rows) const {
    const int at = head * shape_.value_dim;
    const float decay = decay_->data()[head], bias = dt_bias_->data()[head];
    for (int t = 0; t < tokens; ++t) {
      const float* in = rows.in + t * width();
      const float raw = in[inner() + conv_channels() + head];
      const float dt = std::clamp(Softplus(raw + bias), least_dt_, most_dt_);
      rows.g[t * shape_.heads + head] = decay * dt;
      const float* x = in + inner() + at;
      float* v = rows.y + t * inner() + at;
      for (int i = 0; i < shape_.value_dim; ++i) v[i] = dt * x[i];
    }
  }

  void Normalise(int tokens, const Rows& rows, Workspace& workspace) const {
    if (!norm_ && !norm_before_gate_) return;
    const ProfileScope scope(workspace.profile(), {"gated norm"});
    const int dim = inner() / norm_groups_;
    ForRanges(workspace.threads(), tokens, kTaskRows, [&](int from, int to) {
      for (int t = from; t < to; ++t) {
        float* y = rows.y + t * inner();
        for (int at = 0; norm_ && at < inner(); at += dim) {
          RmsNorm(1, dim, y + at, dim, norm_->data() + at, epsilon_, y + at,
                  dim);
        }
        if (norm_before_gate_) SwiGlu(inner(), rows.in + t * width(), y, y);
      }
    });
  }

  LinearRecurrenceShape shape_;
  int conv_width_;
  int norm_groups_;
  bool norm_before_gate_;
  float epsilon_, least_dt_, most_dt_;
  float scales_[5];  // of z, x, B, C and dt
  Projection in_;
  std::unique_ptr<Values> conv_, dt_bias_, decay_, skip_;
  Projection output_;
  std::unique_ptr<Values> conv_bias_, norm_;
};

}  // namespace

std::unique_ptr<Mixer> MakeMamba2Mixer(int model_dim, const MixerPlan& plan,
                                       Weights& weights) {
  return std::make_unique<Mamba2Mixer>(model_dim, plan, weights);
}

}  // namespace fastweights
