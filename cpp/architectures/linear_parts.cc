// SPDX-License-Identifier: MIT
#include "architectures/linear_parts.h"

#include <algorithm>
#include <utility>

#include "architectures/parts.h"

namespace fastweights {
namespace {

// Heads are larger than those of softmax attention.
constexpr int kMaxStateDim = 1024;

// flash-linear-attention's own, of norms of queries and keys.
constexpr double kQueryNormEpsilon = 1e-5;

MixerPlan FullAttention(HyperParameters& keys, const TensorTable& tensors,
                        const std::string& block) {
  const std::string heads_key = "full_attention.head_count";
  const int heads = keys.Size(heads_key, 1, kMaxHeads);
  const int dim = keys.Size("embedding_length", 4, kMaxDim) / heads;
  const bool rotates = keys.Has("full_attention.rope_freq_base");
  keys.Require(keys.Size("embedding_length", 4, kMaxDim) == heads * dim,
               heads_key, "does not divide the model's width");
  return SoftmaxAttentionOf(
      keys, tensors, block,
      {.query_heads = heads,
       .kv_heads = keys.Size(heads_key + "_kv", 1, kMaxHeads, heads),
       .dim = dim,
       .rotary_dim = rotates ? dim : 0,
       .rope_base =
           rotates ? keys.Number("full_attention.rope_freq_base", 1, 1e12) : 0,
       .norm_epsilon = kQueryNormEpsilon,
       .window = keys.Size("full_attention.sliding_window", 0, 1 << 30, 0)},
      heads_key);
}

}  // namespace

LinearHeads WithDims(HyperParameters& keys, LinearHeads heads) {
  heads.key_dim = keys.Size("attention.key_length", 4, kMaxStateDim);
  heads.value_dim = keys.Size("attention.value_length", 4, kMaxStateDim);
  return heads;
}

MixerPlan LinearAttentionPart(HyperParameters& keys, const TensorTable& tensors,
                              const std::string& block,
                              const LinearHeads& heads) {
  const bool grouped =
      heads.queries % heads.keys == 0 && heads.values % heads.keys == 0;
  keys.Require(grouped, "attention.head_count",
               "and the number of other heads do not divide each other");
  keys.Require(heads.key_dim % 4 == 0, "attention.key_length",
               "is not a multiple of 4");
  keys.Require(heads.value_dim % 4 == 0, "attention.value_length",
               "is not a multiple of 4");
  const int most = std::max(heads.queries, heads.values);
  keys.Require(most * std::max(heads.key_dim, heads.value_dim) <= kMaxDim,
               "attention.head_count", "gives too many channels");
  const double epsilon =
      keys.Number("attention.layer_norm_rms_epsilon", 1e-12, 0.1);
  MixerPlan plan = {
      .mixer = "linear_attention",
      .sizes = {{"query_heads", heads.queries},
                {"key_heads", heads.keys},
                {"value_heads", heads.values},
                {"key_dim", heads.key_dim},
                {"value_dim", heads.value_dim},
                {"norm_epsilon",
                 keys.Number("ssm.norm_rms_epsilon", 1e-12, 0.1, epsilon)}},
      .tensors = {{"query", block + "attn_q.weight"},
                  {"key", block + "attn_k.weight"},
                  {"value", block + "attn_v.weight"},
                  {"norm", block + "ssm_norm.weight"},
                  {"output", block + "attn_output.weight"}},
  };
  if (tensors.contains(block + "ssm_conv1d.weight")) {
    plan.sizes["conv_width"] = keys.Size("ssm.conv_kernel", 2, kMaxConvWidth);
    plan.sizes["silu_qk"] = plan.sizes["silu_v"] = 1;
    plan.tensors["conv"] = block + "ssm_conv1d.weight";
  }
  AddIfThere(tensors, "beta", block + "ssm_beta.weight", &plan);
  AddIfThere(tensors, "gate", block + "attn_gate.weight", &plan);
  return plan;
}

LinearHeads SharedValueHeads(HyperParameters& keys) {
  const int queries = keys.Size("attention.head_count", 1, kMaxHeads);
  const int shared =
      keys.Size("attention.head_count_kv", 1, kMaxHeads, queries);
  return {.queries = queries, .keys = shared, .values = shared};
}

void AddLowRank(const TensorTable& tensors, const std::string& role,
                const std::string& name, MixerPlan* plan) {
  const auto first = tensors.find(name + "_a.weight");
  // The rank stands in the file's table alone; where the tensor is missing, the
  // mixer says so.
  const int rank = first == tensors.end() ? 1 : first->second.rows;
  plan->sizes[role + "_rank"] = std::min(rank, kMaxDim);
  plan->tensors[role + "_a"] = name + "_a.weight";
  plan->tensors[role + "_b"] = name + "_b.weight";
  AddIfThere(tensors, (role + "_b_bias").c_str(), name + "_b.bias", plan);
}

void AddFeatureMap(HyperParameters& keys, MixerPlan* plan) {
  // In the order of kernels/feature_maps/feature_maps.h.
  plan->sizes["feature_map"] =
      keys.Choice("attention.feature_map", {"identity", "elu", "relu", "silu"});
}

void AddGatedDelta(HyperParameters& keys, const std::string& block,
                   MixerPlan* plan) {
  plan->sizes["delta"] = 1;
  plan->sizes["beta_scale"] = keys.Number("attention.beta_scale", 1, 2, 1);
  plan->sizes["silu_qk"] = plan->sizes["silu_v"] = 1;
  plan->sizes["qk_norm"] = 1;
  plan->tensors["beta"] = block + "ssm_beta.weight";
  plan->tensors["alpha"] = block + "ssm_alpha.weight";
  plan->tensors["dt_bias"] = block + "ssm_dt.bias";
  plan->tensors["decay"] = block + "ssm_a";
}

MixerPlan GatedDeltaPart(HyperParameters& keys, const TensorTable& tensors,
                         const std::string& block) {
  const int heads = keys.Size("attention.head_count", 1, kMaxHeads);
  const int values =
      keys.Size("attention.value_head_count", 1, kMaxHeads, heads);
  MixerPlan plan = LinearAttentionPart(
      keys, tensors, block,
      WithDims(keys, {.queries = heads, .keys = heads, .values = values}));
  AddGatedDelta(keys, block, &plan);
  return plan;
}

Result<ModelPlan> PlanLinearModel(HyperParameters& keys,
                                  const TensorTable& tensors,
                                  MixerPlan (*mixer)(HyperParameters&,
                                                     const TensorTable&,
                                                     const std::string&)) {
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  ModelPlan plan = BaseModel(keys, tensors);
  RefuseUnreadAttention(keys);
  for (int i = 0; i < blocks && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    const bool linear = tensors.contains(block + "ssm_norm.weight");
    MixerPlan mixing = linear ? mixer(keys, tensors, block)
                              : FullAttention(keys, tensors, block);
    AddLayer(keys, tensors, i, std::move(mixing), "ffn_norm.weight", &plan);
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
