// SPDX-License-Identifier: MIT

// The time mixing of RWKV-6 (Peng et al., Eagle and Finch, 2024). Of the input
// x each product takes its own mix with the token before, which depends on the
// token, x_w to x_g:
//
//   x_i = x + (x' - x) * (mix_i + W_2i tanh(W_1i (x + (x' - x) * mix_x)))
//   r = W_r x_r;  k = W_k x_k;  v = W_v x_v;  g = W_g x_g
//   w = -exp(w0 + W_w2 tanh(W_w1 x_w))                    log decay
//   o = S^T r + (r . (bonus * k)) v;  S = Diag(e^w) S + k v^T
//   out = W_output (group_norm(o) * silu(g))
//
// Without a bonus, where it took the place of softmax attention (QRWKV6): keys
// and values in fewer heads, k = k * (1 - e^w), o = S^T r / sqrt(key_dim) after
// the write, sigmoid(g), no norm.
//
// Sizes in the plan: heads, kv_heads, key_dim, value_dim, mix_rank, decay_rank,
// norm_epsilon. Tensors: mix_x [model_dim], mix [5, model_dim], of w, k, v, r
// and g as all that follows; w1 [5 mix_rank, model_dim], w2 [5 model_dim,
// mix_rank]; receptance, key, value, gate, output; decay, decay_w1, decay_w2;
// where there are such bonus, norm, norm_bias and biases of the products.

#include <algorithm>
#include <cmath>

#include "kernels/activations.h"
#include "kernels/layer_norm.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/rwkv.h"
#include "mixers/low_rank_projection.h"
#include "mixers/mixer.h"
#include "mixers/projection.h"
#include "mixers/shifted_input.h"

namespace fastweights {
namespace {

// Tokens of one head that go from the decay to the norm together.
constexpr int kTaskTokens = 64;

enum Mix { kW, kK, kV, kR, kG, kMixes };

class Rwkv6Mixer final : public Mixer {
 public:
  Rwkv6Mixer(int model_dim, const MixerPlan& plan, Weights& weights)
      : model_dim_(model_dim),
        kv_heads_(plan.Size("kv_heads")),
        mix_rank_(plan.Size("mix_rank")),
        shape_{
            .decay = Decay::kPerChannel,
            .erase = Erase::kNone,
            .read = plan.Has("bonus") ? Read::kBeforeWrite : Read::kAfterWrite,
            .order = KeyHeads::kGrouped,
            .heads = plan.Size("heads"),
            .key_heads = plan.Size("heads"),
            .key_dim = plan.Size("key_dim"),
            .value_dim = plan.Size("value_dim")},
        epsilon_(static_cast<float>(plan.Number("norm_epsilon"))),
        mix_x_(weights.Vector(plan.Tensor("mix_x"), model_dim)),
        mix_(weights.Vector(plan.Tensor("mix"), kMixes * model_dim)),
        mix_down_(
            weights.Matrix(plan.Tensor("w1"), kMixes * mix_rank_, model_dim)),
        mix_up_(weights.Stack(plan.Tensor("w2"), kMixes, model_dim, mix_rank_)),
        receptance_(MakeProjection("receptance", KeyChannels(), model_dim, plan,
                                   weights)),
        key_(MakeProjection("key", kv_heads_ * shape_.key_dim, model_dim, plan,
                            weights)),
        value_(MakeProjection("value", kv_heads_ * shape_.value_dim, model_dim,
                              plan, weights)),
        gate_(
            MakeProjection("gate", ValueChannels(), model_dim, plan, weights)),
        output_(MakeProjection("output", model_dim, ValueChannels(), plan,
                               weights)),
        decay_low_("decay_w1", "decay_w2", KeyChannels(), model_dim,
                   plan.Size("decay_rank"), Tanh, plan, weights),
        decay_(weights.Vector(plan.Tensor("decay"), KeyChannels())) {
    if (plan.Has("bonus")) {
      bonus_ = weights.Vector(plan.Tensor("bonus"), KeyChannels());
    }
    if (plan.Has("norm")) {
      norm_ = weights.Vector(plan.Tensor("norm"), ValueChannels());
    }
    if (plan.Has("norm_bias")) {
      norm_bias_ = weights.Vector(plan.Tensor("norm_bias"), ValueChannels());
    }
  }

  size_t StateFloats() const override { return RecurrentFloats() + model_dim_; }

  StateMatrices Matrices() const override { return MatricesOf(shape_); }
  void ReadMatrix(int head, int position, float* constant,
                  float* out) const override {
    ReadRecurrence(shape_, head, position, constant, out);
  }

  size_t ScratchBytes(int tokens) const override {
    const size_t mixes = ProductInput::ScratchBytes(tokens, mix_rank_);
    const size_t inputs = ProductInput::ScratchBytes(tokens, model_dim_) +
                          decay_low_.ScratchBytes(tokens);
    const size_t grouped =
        shares_keys() ? FloatBytes(tokens, kv_heads_ * shape_.key_dim) +
                            FloatBytes(tokens, kv_heads_ * shape_.value_dim)
                      : 0;
    return FloatBytes(tokens, model_dim_) +
           FloatBytes(tokens, kMixes * mix_rank_) +
           FloatBytes(tokens, mix_rank_) +
           3 * FloatBytes(tokens, KeyChannels()) +
           2 * FloatBytes(tokens, ValueChannels()) + grouped +
           std::max({mixes, inputs,
                     ProductInput::ScratchBytes(tokens, ValueChannels())});
  }

  size_t ThreadScratchBytes() const override {
    return AlignedBytes(sizeof(float) * ChunkScratchFloats(shape_));
  }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    Workspace& workspace = x.workspace();
    const int tokens = x.tokens();
    const auto take = [&](int width) {
      return workspace.arena().Take<float>(static_cast<size_t>(tokens) * width);
    };
    Products p = {.r = take(KeyChannels()),
                  .w = take(KeyChannels()),
                  .k = take(KeyChannels()),
                  .v = take(ValueChannels()),
                  .g = take(ValueChannels())};
    p.key = shares_keys() ? take(kv_heads_ * shape_.key_dim) : p.k;
    p.value = shares_keys() ? take(kv_heads_ * shape_.value_dim) : p.v;
    Multiply(pass, x, p);

    // As in rwkv7.cc.
    workspace.threads().For(shape_.heads, [&](int head, int thread) {
      Profile* profile = thread == 0 ? workspace.profile() : nullptr;
      Arena& arena = workspace.thread_arena(thread);
      const ArenaScope scope(arena);
      float* scratch = arena.Take<float>(ChunkScratchFloats(shape_));
      int first = 0;
      for (const Stretch& text : pass.texts) {
        for (int from = 0; from < text.tokens; from += kTaskTokens) {
          const int count = std::min(kTaskTokens, text.tokens - from);
          Head(head, text.position + from, first + from, count, p, text.state,
               scratch, profile);
        }
        first += text.tokens;
      }
    });
    const int wanted = CopyWanted(pass.texts, ValueChannels(), p.g, p.g);
    ProductInput gated(wanted, ValueChannels(), p.g, workspace);
    output_.Multiply(gated, out);
  }

 private:
  // Decays take the place of w, outputs that of v, the gated ones that of g.
  struct Products {
    float *r, *w, *k;  // [tokens, KeyChannels()]
    float *v, *g;      // [tokens, ValueChannels()]
    // [tokens, kv_heads, key_dim] and of value_dim: k and v where every head
    // has its own.
    float *key = nullptr, *value = nullptr;
  };

  int KeyChannels() const { return shape_.heads * shape_.key_dim; }
  int ValueChannels() const { return shape_.heads * shape_.value_dim; }
  bool shares_keys() const { return kv_heads_ != shape_.heads; }
  size_t RecurrentFloats() const {
    return static_cast<size_t>(shape_.heads) * ChunkStateFloats(shape_);
  }

  void Multiply(const Pass& pass, ProductInput& x, const Products& p) {
    Workspace& workspace = x.workspace();
    Arena& arena = workspace.arena();
    const size_t tokens = x.tokens();
    const int inner_dim = kMixes * mix_rank_;
    const ShiftedInput shifted(pass, x, RecurrentFloats());
    float* mixed = arena.Take<float>(tokens * model_dim_);
    float* inner = arena.Take<float>(tokens * inner_dim);
    float* part = arena.Take<float>(tokens * mix_rank_);
    {
      shifted.Mix(mix_x_->data(), nullptr, mixed);
      const ArenaScope scope(arena);
      ProductInput input(x.tokens(), model_dim_, mixed, workspace);
      mix_down_->Multiply(input, inner, inner_dim);
      Tanh(tokens * inner_dim, inner);
    }
    const auto with = [&](Mix mix, const auto& multiply) {
      {
        for (size_t t = 0; t < tokens; ++t) {
          std::copy_n(inner + t * inner_dim + mix * mix_rank_, mix_rank_,
                      part + t * mix_rank_);
        }
        const ArenaScope scope(arena);
        ProductInput input(x.tokens(), mix_rank_, part, workspace);
        (*mix_up_)[mix].Multiply(input, mixed, model_dim_);
      }
      shifted.Mix(mix_->data() + mix * model_dim_, mixed, mixed);
      const ArenaScope scope(arena);
      ProductInput input(x.tokens(), model_dim_, mixed, workspace);
      multiply(input);
    };
    with(kW, [&](ProductInput& in) { decay_low_.Multiply(in, p.w); });
    with(kK, [&](ProductInput& in) { key_.Multiply(in, p.key); });
    with(kV, [&](ProductInput& in) { value_.Multiply(in, p.value); });
    with(kR, [&](ProductInput& in) { receptance_.Multiply(in, p.r); });
    with(kG, [&](ProductInput& in) { gate_.Multiply(in, p.g); });
    shifted.Keep();
  }

  // Rows [from, from + count), the tokens at `position` and on of a text, of a
  // head.
  void Head(int head, int position, int from, int count, const Products& p,
            const MixerState& text, float* scratch, Profile* profile) const {
    const int K = shape_.key_dim, V = shape_.value_dim;
    const size_t keys = static_cast<size_t>(from) * KeyChannels();
    const size_t values = static_cast<size_t>(from) * ValueChannels();
    float* w = p.w + keys + head * K;
    float* v = p.v + values + head * V;
    float* g = p.g + values + head * V;
    {
      const ProfileScope scope(profile, {"gates"});
      Rwkv6Decay(count, K, decay_->data() + head * K, w, KeyChannels());
      if (shares_keys()) Expand(head, from, count, p);
      if (!bonus_) {
        float* k = p.k + keys + head * K;
        float* r = p.r + keys + head * K;
        const float scale = 1.0f / std::sqrt(static_cast<float>(K));
        ComplementKeys(count, K, w, k, KeyChannels());
        for (int t = 0; t < count; ++t) Scale(K, scale, r + t * KeyChannels());
      }
    }
    {
      const ProfileScope scope(profile, {"recurrence"},
                               {5.0 * count * K * V, 0});
      const LinearRecurrenceArgs args = {
          .q = p.r + keys,
          .q_stride = KeyChannels(),
          .k = p.k + keys,
          .k_stride = KeyChannels(),
          .v = p.v + values,
          .v_stride = ValueChannels(),
          .g = p.w + keys,
          .beta = nullptr,
          .bonus = bonus_ ? bonus_->data() : nullptr,
          .state = text.constant,
          .state_stride = ChunkStateFloats(shape_),
          .trace = text.trace,
          .out = p.v + values,
          .out_stride = ValueChannels()};
      LinearRecurrenceChunk(position, count, shape_, args, head, scratch);
    }
    const ProfileScope scope(profile, {"norm and gate"});
    if (norm_) {
      LayerNorm(count, V, v, ValueChannels(), norm_->data() + head * V,
                norm_bias_ ? norm_bias_->data() + head * V : nullptr, epsilon_,
                v, ValueChannels());
    }
    for (int t = 0; t < count;
         ++t, v += ValueChannels(), g += ValueChannels()) {
      if (bonus_) {
        SwiGlu(V, g, v, g);
      } else {
        SigmoidGate(V, v, g, g);
      }
    }
  }

  // A head's own keys and values from those that several heads share.
  void Expand(int head, int from, int count, const Products& p) const {
    const int K = shape_.key_dim, V = shape_.value_dim;
    const size_t shared = head / (shape_.heads / kv_heads_);
    for (size_t t = from; t < static_cast<size_t>(from) + count; ++t) {
      std::copy_n(p.key + (t * kv_heads_ + shared) * K, K,
                  p.k + t * KeyChannels() + head * K);
      std::copy_n(p.value + (t * kv_heads_ + shared) * V, V,
                  p.v + t * ValueChannels() + head * V);
    }
  }

  int model_dim_;
  int kv_heads_;
  int mix_rank_;
  LinearRecurrenceShape shape_;
  float epsilon_;
  std::unique_ptr<Values> mix_x_, mix_;
  std::unique_ptr<Linear> mix_down_;
  std::unique_ptr<MatrixStack> mix_up_;
  Projection receptance_, key_, value_, gate_, output_;
  LowRankProjection decay_low_;
  std::unique_ptr<Values> decay_, bonus_, norm_, norm_bias_;
};

}  // namespace

std::unique_ptr<Mixer> MakeRwkv6Mixer(int model_dim, const MixerPlan& plan,
                                      Weights& weights) {
  return std::make_unique<Rwkv6Mixer>(model_dim, plan, weights);
}

}  // namespace fastweights
