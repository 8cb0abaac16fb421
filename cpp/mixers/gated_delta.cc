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
// j % key_heads.

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

class GatedDeltaMixer final : public Mixer {
 public:
  GatedDeltaMixer(int model_dim, const LayerPlan& plan, Weights& weights)
      : shape_{.decay = Decay::kPerHead,
               .erase = Erase::kDelta,
               .order = KeyHeads::kTiled,
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

  size_t ScratchBytes(int tokens) const override {
    const auto floats = [&](int width) {
      return AlignedBytes(sizeof(float) * static_cast<size_t>(tokens) * width);
    };
    return 2 * floats(channels()) + 2 * floats(value_channels()) +
           2 * floats(shape_.heads) +
           ProductInput::ScratchBytes(tokens, value_channels());
  }

  void Forward(int position, ProductInput& x, const LayerState& state,
               float* out) override {
    Workspace& workspace = x.workspace();
    Arena& arena = workspace.arena();
    const int tokens = x.tokens(), heads = shape_.heads;
    float* inner = arena.Take<float>(tokens * value_channels());
    float* gate = arena.Take<float>(tokens * value_channels());
    float* g = arena.Take<float>(tokens * heads);
    float* beta = arena.Take<float>(tokens * heads);
    float* raw = arena.Take<float>(tokens * channels());
    float* qkv = arena.Take<float>(tokens * channels());

    qkv_->Multiply(x, raw, channels());
    gate_->Multiply(x, gate, value_channels());
    alpha_->Multiply(x, g, heads);
    beta_->Multiply(x, beta, heads);

    Profile* profile = workspace.profile();
    {
      const ProfileScope scope(profile, {"convolution"});
      ShortConvSilu(tokens, channels(), conv_width_, raw, conv_->data(),
                    state.constant + RecurrentFloats(), qkv);
    }
    {
      const ProfileScope scope(profile, {"gates"});
      Gates(tokens, g, beta);
    }
    const int key_channels = shape_.key_heads * shape_.key_dim;
    {
      const ProfileScope scope(profile, {"query and key norm"});
      const float scale = 1.0f / std::sqrt(static_cast<float>(shape_.key_dim));
      for (int t = 0; t < tokens; ++t) {
        float* q = qkv + t * channels();
        L2Normalise(shape_.key_heads, shape_.key_dim, q, shape_.key_dim,
                    kL2Epsilon, scale);
        L2Normalise(shape_.key_heads, shape_.key_dim, q + key_channels,
                    shape_.key_dim, kL2Epsilon, 1.0f);
      }
    }
    {
      const ProfileScope scope(
          profile, {"recurrence"},
          {7.0 * tokens * value_channels() * shape_.key_dim, 0});
      const LinearRecurrenceArgs args = {
          .q = qkv,
          .q_stride = channels(),
          .k = qkv + key_channels,
          .k_stride = channels(),
          .v = qkv + 2 * key_channels,
          .v_stride = channels(),
          .g = g,
          .beta = beta,
          .state = state.constant,
          .state_stride = ChunkStateFloats(shape_),
          .out = inner,
          .out_stride = value_channels()};
      workspace.threads().For(heads, [&](int head, int) {
        LinearRecurrenceChunk(position, tokens, shape_, args, head);
      });
    }
    {
      const ProfileScope scope(profile, {"gated norm"});
      RmsNormGated(tokens * heads, shape_.value_dim, inner, norm_->data(),
                   epsilon_, gate, inner);
    }
    ProductInput gated(tokens, value_channels(), inner, workspace);
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

  // From W_alpha x and W_beta x to log decay and beta, in place.
  void Gates(int tokens, float* g, float* beta) const {
    for (int t = 0; t < tokens; ++t) {
      for (int h = 0; h < shape_.heads; ++h, ++g, ++beta) {
        *g = decay_->data()[h] * Softplus(*g + dt_bias_->data()[h]);
        *beta = Sigmoid(*beta);
      }
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

std::unique_ptr<Mixer> MakeGatedDeltaMixer(int model_dim, const LayerPlan& plan,
                                           Weights& weights) {
  return std::make_unique<GatedDeltaMixer>(model_dim, plan, weights);
}

}  // namespace fastweights
