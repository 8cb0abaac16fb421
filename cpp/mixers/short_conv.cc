// SPDX-License-Identifier: MIT

// A gated short convolution, as in LFM2 (Liquid AI 2025), which mixes the last
// few tokens of each channel:
//
//   [b | c | x] = W_input h
//   out = W_output (c * conv(b * x))
//
// Sizes in the plan: conv_width. Tensors: input [3 model_dim, model_dim], conv
// [model_dim, conv_width], output and, where there are such, the biases
// input_bias, conv_bias, output_bias.

#include "kernels/short_conv.h"

#include <algorithm>

#include "kernels/activations.h"
#include "mixers/mixer.h"
#include "mixers/projection.h"

namespace fastweights {
namespace {

// Of one task, some tokens at a time: its share of b, c and x stays in the
// first-level cache.
constexpr int kTaskChannels = 128;
constexpr int kTaskTokens = 16;

class ShortConvMixer final : public Mixer {
 public:
  ShortConvMixer(int model_dim, const MixerPlan& plan, Weights& weights)
      : dim_(model_dim),
        conv_width_(plan.Size("conv_width")),
        input_(
            MakeProjection("input", 3 * model_dim, model_dim, plan, weights)),
        conv_(weights.Transposed(plan.Tensor("conv"), model_dim, conv_width_)),
        conv_bias_(plan.Has("conv_bias")
                       ? weights.Vector(plan.Tensor("conv_bias"), model_dim)
                       : nullptr),
        output_(MakeProjection("output", model_dim, model_dim, plan, weights)) {
  }

  size_t StateFloats() const override {
    return static_cast<size_t>(conv_width_ - 1) * dim_;
  }

  size_t ScratchBytes(int tokens) const override {
    return FloatBytes(tokens, 3 * dim_) + FloatBytes(tokens, dim_) +
           ProductInput::ScratchBytes(tokens, dim_);
  }

  int Reach() const override { return conv_width_ - 1; }
  int UndoFloats() const override { return 3 * dim_; }
  void ReadAgain(const Stretch& text, Workspace& workspace) const override {
    Arena& arena = workspace.arena();
    const ArenaScope scope(arena);
    float* bcx = arena.Take<float>(static_cast<size_t>(text.tokens) * 3 * dim_);
    float* inner = arena.Take<float>(static_cast<size_t>(text.tokens) * dim_);
    TakeFromUndo(text, {3 * dim_}, bcx);
    Mix({&text, 1}, bcx, inner, workspace);
  }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    Workspace& workspace = x.workspace();
    Arena& arena = workspace.arena();
    const int tokens = x.tokens();
    float* bcx = arena.Take<float>(static_cast<size_t>(tokens) * 3 * dim_);
    float* inner = arena.Take<float>(static_cast<size_t>(tokens) * dim_);
    input_.Multiply(x, bcx);
    KeepForUndo(pass.texts, {3 * dim_}, bcx);
    Mix(pass.texts, bcx, inner, workspace);
    const int wanted = CopyWanted(pass.texts, dim_, inner, inner);
    ProductInput gated(wanted, dim_, inner, workspace);
    output_.Multiply(gated, out);
  }

 private:
  // All that lies between the products.
  void Mix(std::span<const Stretch> texts, float* bcx, float* inner,
           Workspace& workspace) const {
    const ProfileScope scope(workspace.profile(), {"gated convolution"});
    ForRanges(workspace.threads(), dim_, kTaskChannels, [&](int from, int to) {
      Channels(texts, from, to - from, bcx, inner);
    });
  }

  // Channels [first, first + count) of all tokens.
  void Channels(std::span<const Stretch> texts, int first, int count,
                float* bcx, float* inner) const {
    float* b = bcx + first;
    float* out = inner + first;
    for (const Stretch& text : texts) {
      for (int from = 0; from < text.tokens; from += kTaskTokens) {
        const int tokens = std::min(kTaskTokens, text.tokens - from);
        Convolve(tokens, first, count, text.state.constant + first, b, out);
        b += static_cast<size_t>(tokens) * 3 * dim_;
        out += static_cast<size_t>(tokens) * dim_;
      }
    }
  }

  // out = c * conv(b * x); rows of b, c and x are one behind the other.
  void Convolve(int tokens, int first, int count, float* state, float* b,
                float* out) const {
    float* x = b + 2 * dim_;
    for (int t = 0; t < tokens; ++t) {
      Multiply(count, b + t * 3 * dim_, x + t * 3 * dim_, x + t * 3 * dim_);
    }
    ShortConv(tokens, count, conv_width_,
              {.activation = ConvActivation::kNone,
               .weight = conv_->data() + first,
               .bias = conv_bias_ ? conv_bias_->data() + first : nullptr,
               .state = state,
               .stride = dim_,
               .x = x,
               .x_stride = 3 * dim_});
    const float* c = b + dim_;
    for (int t = 0; t < tokens; ++t) {
      Multiply(count, c + t * 3 * dim_, x + t * 3 * dim_, out + t * dim_);
    }
  }

  int dim_, conv_width_;
  Projection input_;
  std::unique_ptr<Values> conv_, conv_bias_;
  Projection output_;
};

}  // namespace

std::unique_ptr<Mixer> MakeShortConvMixer(int model_dim, const MixerPlan& plan,
                                          Weights& weights) {
  return std::make_unique<ShortConvMixer>(model_dim, plan, weights);
}

}  // namespace fastweights
