// SPDX-License-Identifier: MIT

// The time mixing of RWKV-7 (Peng et al., RWKV-7 "Goose", 2025). Of the input
// x each product takes its own mix with the token before, x_r to x_g:
//
//   r = W_r x_r;  k = W_k x_k;  v = W_v x_v;  g = W_g2 sigmoid(W_g1 x_g)
//   w = -e^(-1/2) sigmoid(w0 + W_w2 tanh(W_w1 x_w))       log decay
//   a = sigmoid(a0 + W_a2 W_a1 x_a)                       learning rate
//   v = v + (v' - v) * sigmoid(v0 + W_v2 W_v1 x_v)        v' the first layer's
//   p = l2(k * k_k) per head;  k = k * (1 + (a - 1) * k_a)
//   S = Diag(e^w) S - (p * a) (S^T p)^T + k v^T;  o = S^T r
//   out = W_output ((group_norm(o) + (r . (r_k * k)) v) * g)
//
// Sizes in the plan: heads, head_dim, decay_rank, rate_rank; value_rank, 0 in
// the layer whose values later ones take; gate_rank, 0 where there is no gate;
// norm_epsilon. Tensors: mix, of r, w, k, v, a and g [6 or 5, model_dim];
// receptance, key, value, output; w0, w1, w2, a0, a1, a2, k_k, k_a, r_k; where
// there are such v0, v1, v2, g1, g2, norm and norm_bias.

#include <algorithm>

#include "kernels/layer_norm.h"
#include "kernels/linear_recurrence/linear_recurrence.h"
#include "kernels/rwkv.h"
#include "mixers/low_rank_projection.h"
#include "mixers/mixer.h"
#include "mixers/projection.h"
#include "mixers/shifted_input.h"

namespace fastweights {
namespace {

// Tokens of one head that go from the gates to the norm together.
constexpr int kTaskTokens = 64;

enum Mix { kR, kW, kK, kV, kA, kG };

class Rwkv7Mixer final : public Mixer {
 public:
  Rwkv7Mixer(int model_dim, const MixerPlan& plan, Weights& weights)
      : model_dim_(model_dim),
        shape_{.decay = Decay::kPerChannel,
               .erase = Erase::kLowRank,
               .order = KeyHeads::kTiled,
               .heads = plan.Size("heads"),
               .key_heads = plan.Size("heads"),
               .key_dim = plan.Size("head_dim"),
               .value_dim = plan.Size("head_dim")},
        epsilon_(static_cast<float>(plan.Number("norm_epsilon"))),
        receptance_(
            MakeProjection("receptance", channels(), model_dim, plan, weights)),
        key_(MakeProjection("key", channels(), model_dim, plan, weights)),
        value_(MakeProjection("value", channels(), model_dim, plan, weights)),
        output_(
            MakeProjection("output", model_dim, channels(), plan, weights)) {
    const auto low_rank = [&](const char* down, const char* up, int rank,
                              LowRankProjection::Activation activation) {
      return rank == 0 ? LowRankProjection()
                       : LowRankProjection(down, up, channels(), model_dim,
                                           rank, activation, plan, weights);
    };
    decay_ = low_rank("w1", "w2", plan.Size("decay_rank"), Tanh);
    rate_ = low_rank("a1", "a2", plan.Size("rate_rank"), nullptr);
    blend_ = low_rank("v1", "v2", plan.Size("value_rank"), nullptr);
    gate_ = low_rank("g1", "g2", plan.Size("gate_rank"), SigmoidAll);
    mix_ = weights.Vector(plan.Tensor("mix"), (gate_ ? 6 : 5) * model_dim);
    const auto vector = [&](const char* role) {
      return plan.Has(role) ? weights.Vector(plan.Tensor(role), channels())
                            : nullptr;
    };
    w0_ = vector("w0");
    a0_ = vector("a0");
    v0_ = vector("v0");
    k_k_ = vector("k_k");
    k_a_ = vector("k_a");
    r_k_ = vector("r_k");
    norm_ = vector("norm");
    norm_bias_ = vector("norm_bias");
  }

  size_t StateFloats() const override { return RecurrentFloats() + model_dim_; }
  int CarriedFloats() const override { return channels(); }

  StateMatrices Matrices() const override { return MatricesOf(shape_); }
  void ReadMatrix(int head, int position, float* constant,
                  float* out) const override {
    ReadRecurrence(shape_, head, position, constant, out);
  }

  size_t ScratchBytes(int tokens) const override {
    size_t low_rank = 0;
    for (const LowRankProjection* part : {&decay_, &rate_, &blend_, &gate_}) {
      low_rank = std::max(low_rank, part->ScratchBytes(tokens));
    }
    const size_t inputs =
        ProductInput::ScratchBytes(tokens, model_dim_) + low_rank;
    return FloatBytes(tokens, std::max(model_dim_, channels())) +
           (gate_ ? 6 : 5) * FloatBytes(tokens, channels()) +
           std::max(inputs, ProductInput::ScratchBytes(tokens, channels()));
  }

  size_t ThreadScratchBytes() const override {
    return AlignedBytes(sizeof(float) * ChunkScratchFloats(shape_)) +
           AlignedBytes(sizeof(float) * kTaskTokens * shape_.value_dim);
  }

  void Forward(const Pass& pass, ProductInput& x, float* out) override {
    Workspace& workspace = x.workspace();
    const int tokens = x.tokens();
    const auto take = [&](int width) {
      return workspace.arena().Take<float>(static_cast<size_t>(tokens) * width);
    };
    const Products p = {.mixed = take(std::max(model_dim_, channels())),
                        .r = take(channels()),
                        .w = take(channels()),
                        .k = take(channels()),
                        .v = take(channels()),
                        .a = take(channels()),
                        .g = gate_ ? take(channels()) : nullptr};
    Multiply(pass, x, p);

    // A head knows nothing of the others: all that lies between the products
    // is done for some tokens of it at a time, which stay in the cache.
    workspace.threads().For(shape_.heads, [&](int head, int thread) {
      Profile* profile = thread == 0 ? workspace.profile() : nullptr;
      Arena& arena = workspace.thread_arena(thread);
      const ArenaScope scope(arena);
      float* scratch = arena.Take<float>(ChunkScratchFloats(shape_));
      float* bonus = arena.Take<float>(kTaskTokens * shape_.value_dim);
      int first = 0;
      for (const Stretch& text : pass.texts) {
        for (int from = 0; from < text.tokens; from += kTaskTokens) {
          const int count = std::min(kTaskTokens, text.tokens - from);
          Head(head, text.position + from, count,
               p.From(first + from, channels()),
               pass.carried + (first + from) * pass.carried_stride,
               pass.carried_stride, text.state, bonus, scratch, profile);
        }
        first += text.tokens;
      }
    });
    const int wanted = CopyWanted(pass.texts, channels(), p.v, p.v);
    ProductInput gated(wanted, channels(), p.v, workspace);
    output_.Multiply(gated, out);
  }

 private:
  // What the layer makes of its products takes their place: decays in w, in a
  // what is erased along, erase keys in mixed, the gated output in v.
  struct Products {
    float *mixed, *r, *w, *k, *v, *a, *g;  // [tokens, channels]

    // From a token, or one of its channels, on.
    Products From(size_t token, int channels, int channel = 0) const {
      const size_t at = token * channels + channel;
      return {mixed + at,
              r + at,
              w + at,
              k + at,
              v + at,
              a + at,
              g == nullptr ? nullptr : g + at};
    }
  };

  int channels() const { return shape_.heads * shape_.value_dim; }
  size_t RecurrentFloats() const {
    return static_cast<size_t>(shape_.heads) * ChunkStateFloats(shape_);
  }

  void Multiply(const Pass& pass, ProductInput& x, const Products& p) {
    Workspace& workspace = x.workspace();
    const ShiftedInput shifted(pass, x, RecurrentFloats());
    const auto with = [&](Mix mix, const auto& multiply) {
      shifted.Mix(mix_->data() + mix * model_dim_, nullptr, p.mixed);
      const ArenaScope scope(workspace.arena());
      ProductInput input(x.tokens(), model_dim_, p.mixed, workspace);
      multiply(input);
    };
    with(kR, [&](ProductInput& in) { receptance_.Multiply(in, p.r); });
    with(kW, [&](ProductInput& in) { decay_.Multiply(in, p.w); });
    with(kK, [&](ProductInput& in) { key_.Multiply(in, p.k); });
    with(kA, [&](ProductInput& in) { rate_.Multiply(in, p.a); });
    if (gate_) with(kG, [&](ProductInput& in) { gate_.Multiply(in, p.g); });
    with(kV, [&](ProductInput& in) {
      value_.Multiply(in, p.v);
      // The last one: how far to blend takes the place of what it is made of.
      if (blend_) blend_.Multiply(in, p.mixed);
    });
    shifted.Keep();
  }

  // Rows [0, count) of p, the tokens at `position` and on of a text, of a head.
  void Head(int head, int position, int count, const Products& p,
            float* carried, int carried_stride, const MixerState& text,
            float* bonus, float* scratch, Profile* profile) const {
    const int dim = shape_.value_dim, channel = head * dim, stride = channels();
    const Products mine = p.From(0, stride, channel);
    {
      const ProfileScope scope(profile, {"gates"});
      const Rwkv7Vectors vectors = {
          .w0 = w0_->data() + channel,
          .a0 = a0_->data() + channel,
          .v0 = blend_ ? v0_->data() + channel : nullptr,
          .k_k = k_k_->data() + channel,
          .k_a = k_a_->data() + channel,
          .r_k = r_k_->data() + channel};
      Rwkv7Prepare(count, dim, vectors,
                   {.stride = stride,
                    .r = mine.r,
                    .k = mine.k,
                    .v = mine.v,
                    .w = mine.w,
                    .a = mine.a,
                    .p = mine.mixed,
                    .first = carried + channel,
                    .first_stride = carried_stride,
                    .bonus = bonus});
    }
    {
      const ProfileScope scope(profile, {"recurrence"},
                               {9.0 * count * dim * dim, 0});
      const LinearRecurrenceArgs args = {
          .q = p.r,
          .q_stride = stride,
          .k = p.k,
          .k_stride = stride,
          .v = p.v,
          .v_stride = stride,
          .g = p.w,
          .beta = nullptr,
          .p = p.mixed,
          .p_stride = stride,
          .b = p.a,
          .b_stride = stride,
          .state = text.constant,
          .state_stride = ChunkStateFloats(shape_),
          .trace = text.trace,
          .out = p.v,
          .out_stride = stride};
      LinearRecurrenceChunk(position, count, shape_, args, head, scratch);
    }
    {
      const ProfileScope scope(profile, {"norm and gate"});
      if (norm_) {
        LayerNorm(count, dim, mine.v, stride, norm_->data() + channel,
                  norm_bias_ ? norm_bias_->data() + channel : nullptr, epsilon_,
                  mine.v, stride);
      }
      Rwkv7Gate(count, dim, bonus, mine.g, mine.v, stride);
    }
  }

  int model_dim_;
  LinearRecurrenceShape shape_;
  float epsilon_;
  Projection receptance_, key_, value_, output_;
  LowRankProjection decay_, rate_, blend_, gate_;
  std::unique_ptr<Values> mix_, w0_, a0_, v0_, k_k_, k_a_, r_k_, norm_,
      norm_bias_;
};

}  // namespace

std::unique_ptr<Mixer> MakeRwkv7Mixer(int model_dim, const MixerPlan& plan,
                                      Weights& weights) {
  return std::make_unique<Rwkv7Mixer>(model_dim, plan, weights);
}

}  // namespace fastweights
