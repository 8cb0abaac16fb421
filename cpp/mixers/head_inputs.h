// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "kernels/feature_maps/feature_maps.h"
#include "mixers/mixer.h"

namespace fastweights {

// Queries, keys and values of a linear attention layer, as the recurrence takes
// them:
//
//   q, k, v = W_query x, W_key x, W_value x, each through a short convolution
//   q = rope(norm(map(silu(q)))) / sqrt(key_dim), k likewise, v = silu(v)
//
// Heads come in groups: one key head and `queries` query heads or `values`
// value heads that belong to it. Sizes in the plan: key_heads, value_heads,
// key_dim, value_dim; and where they are not zero query_heads (key_heads),
// conv_width, silu_qk, silu_v, feature_map (a FeatureMap without weights),
// qk_norm (1: l2, 2: to a sum of one), rope_base, forgets_by_key (k is left to
// a DecayGate). Tensors: query, key, value, and conv [channels of q, k, v,
// conv_width].
class HeadInputs {
 public:
  // Check weights.error() before using it.
  HeadInputs(int model_dim, const MixerPlan& plan, Weights& weights);

  int groups() const { return groups_; }
  int queries() const { return queries_; }
  int values() const { return values_; }
  int key_dim() const { return key_dim_; }
  int value_dim() const { return value_dim_; }
  // Floats of a token, and from where on those of keys and values are.
  int channels() const { return value_at() + groups_ * values_ * value_dim_; }
  int key_at() const { return groups_ * queries_ * key_dim_; }
  int value_at() const { return key_at() + groups_ * key_dim_; }

  // Of state: the convolution's last inputs.
  size_t StateFloats() const;
  size_t ScratchBytes(int tokens) const;

  // One pass's rows, [tokens] of each.
  struct Rows {
    float* qkv;        // [channels()]
    float *cos, *sin;  // of rotary positions
  };

  // Makes the products of x; the rows come from its workspace's arena.
  Rows Multiply(const Pass& pass, ProductInput& x);
  // What follows them, in place: of one group `tokens` rows from `from` on.
  void Prepare(int group, int from, int tokens, const Rows& rows,
               float* state) const;

 private:
  enum class Norm { kNone, kL2, kSum };

  int angles() const { return rope_base_ > 0 ? key_dim_ / 2 : 0; }
  void Convolve(int tokens, int first, int count, bool silu, float* state,
                float* qkv) const;
  void Map(FeatureMap map, int tokens, int dim, float* x) const;
  // Of one head's queries or keys x.
  void PrepareHead(int tokens, float scale, const float* cos, const float* sin,
                   float* x) const;

  int groups_, queries_, values_, key_dim_, value_dim_, conv_width_;
  bool silu_qk_, silu_v_, forgets_by_key_;
  FeatureMap map_;
  Norm norm_;
  float rope_base_;
  std::unique_ptr<Linear> query_, key_, value_;
  std::unique_ptr<Values> conv_;
};

}  // namespace fastweights
