// SPDX-License-Identifier: MIT
#include "mixers/head_inputs.h"

#include <algorithm>
#include <cmath>

#include "kernels/activations.h"
#include "kernels/rms_norm.h"
#include "kernels/rope.h"
#include "kernels/short_conv.h"

namespace fastweights {
namespace {

// Inside the root of the l2 norm, whatever the model's own epsilon.
constexpr float kL2Epsilon = 1e-6f;

// Tokens of a task of the angles.
constexpr int kTaskTokens = 16;

}  // namespace

HeadInputs::HeadInputs(int model_dim, const MixerPlan& plan, Weights& weights)
    : groups_(plan.Size("key_heads")),
      queries_(plan.Size("query_heads", groups_) / groups_),
      values_(plan.Size("value_heads") / groups_),
      key_dim_(plan.Size("key_dim")),
      value_dim_(plan.Size("value_dim")),
      conv_width_(plan.Size("conv_width", 0)),
      silu_qk_(plan.Size("silu_qk", 0) != 0),
      silu_v_(plan.Size("silu_v", 0) != 0),
      forgets_by_key_(plan.Size("forgets_by_key", 0) != 0),
      map_(static_cast<FeatureMap>(plan.Size("feature_map", 0))),
      norm_(static_cast<Norm>(plan.Size("qk_norm", 0))),
      rope_base_(static_cast<float>(plan.Number("rope_base", 0))),
      query_(weights.Matrix(plan.Tensor("query"), key_at(), model_dim)),
      key_(
          weights.Matrix(plan.Tensor("key"), value_at() - key_at(), model_dim)),
      value_(weights.Matrix(plan.Tensor("value"), channels() - value_at(),
                            model_dim)) {
  CHECK(queries_ == 1 || values_ == 1);
  if (conv_width_ > 0) {
    conv_ = weights.Transposed(plan.Tensor("conv"), channels(), conv_width_);
  }
}

size_t HeadInputs::StateFloats() const {
  return static_cast<size_t>(std::max(conv_width_ - 1, 0)) * channels();
}

size_t HeadInputs::ScratchBytes(int tokens) const {
  return FloatBytes(tokens, channels()) + 2 * FloatBytes(tokens, angles());
}

HeadInputs::Rows HeadInputs::Multiply(const Pass& pass, ProductInput& x) {
  Workspace& workspace = x.workspace();
  const auto take = [&](int width) {
    return workspace.arena().Take<float>(static_cast<size_t>(x.tokens()) *
                                         width);
  };
  const Rows rows = {
      .qkv = take(channels()), .cos = take(angles()), .sin = take(angles())};
  const MatrixProduct products[] = {
      {query_.get(), query_->rows(), rows.qkv, channels()},
      {key_.get(), key_->rows(), rows.qkv + key_at(), channels()},
      {value_.get(), value_->rows(), rows.qkv + value_at(), channels()},
  };
  MultiplyTogether(products, x);
  if (rope_base_ == 0) return rows;
  const ProfileScope scope(workspace.profile(), {"rope angles"});
  int first = 0;
  for (const Stretch& text : pass.texts) {
    ForRanges(workspace.threads(), text.tokens, kTaskTokens,
              [&](int from, int to) {
                const int at = (first + from) * angles();
                RopeAngles(to - from, text.position + from, key_dim_,
                           rope_base_, rows.cos + at, rows.sin + at);
              });
    first += text.tokens;
  }
  return rows;
}

void HeadInputs::Prepare(int group, int from, int tokens, const Rows& rows,
                         float* state) const {
  float* qkv = rows.qkv + static_cast<size_t>(from) * channels();
  const float* cos = rows.cos + from * angles();
  const float* sin = rows.sin + from * angles();
  const int query = group * queries_ * key_dim_;
  const int key = key_at() + group * key_dim_;
  Convolve(tokens, query, queries_ * key_dim_, silu_qk_, state, qkv);
  Convolve(tokens, key, key_dim_, silu_qk_ && !forgets_by_key_, state, qkv);
  Convolve(tokens, value_at() + group * values_ * value_dim_,
           values_ * value_dim_, silu_v_, state, qkv);
  const float scale = 1.0f / std::sqrt(static_cast<float>(key_dim_));
  for (int j = 0; j < queries_; ++j) {
    PrepareHead(tokens, scale, cos, sin, qkv + query + j * key_dim_);
  }
  if (!forgets_by_key_) PrepareHead(tokens, 1.0f, cos, sin, qkv + key);
}

// Channels [first, first + count), in place.
void HeadInputs::Convolve(int tokens, int first, int count, bool silu,
                          float* state, float* qkv) const {
  if (conv_width_ > 0) {
    return ShortConv(
        tokens, count, conv_width_,
        {.activation = silu ? ConvActivation::kSilu : ConvActivation::kNone,
         .weight = conv_->data() + first,
         .state = state + first,
         .stride = channels(),
         .x = qkv + first,
         .x_stride = channels()});
  }
  if (silu) Map(FeatureMap::kSilu, tokens, count, qkv + first);
}

void HeadInputs::Map(FeatureMap map, int tokens, int dim, float* x) const {
  ApplyFeatureMap(tokens, {.map = map, .dim = dim, .nu = 0},
                  {.x = x,
                   .x_stride = channels(),
                   .weight = nullptr,
                   .bias = nullptr,
                   .out = x,
                   .out_stride = channels()});
}

void HeadInputs::PrepareHead(int tokens, float scale, const float* cos,
                             const float* sin, float* x) const {
  if (map_ != FeatureMap::kIdentity) Map(map_, tokens, key_dim_, x);
  if (norm_ == Norm::kL2) {
    L2Normalise(tokens, key_dim_, x, channels(), kL2Epsilon, scale);
    scale = 1.0f;
  }
  for (int t = 0; t < tokens; ++t, x += channels()) {
    if (rope_base_ > 0) {
      Rope(1, key_dim_, RopePairs::kHalves, cos + t * angles(),
           sin + t * angles(), x, 0);
    }
    float factor = scale;
    if (norm_ == Norm::kSum) {
      float sum = 0.0f;
      for (int i = 0; i < key_dim_; ++i) sum += x[i];
      factor = scale / sum;
    }
    if (factor != 1.0f) Scale(key_dim_, factor, x);
  }
}

}  // namespace fastweights
