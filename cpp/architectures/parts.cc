// SPDX-License-Identifier: MIT
#include "architectures/parts.h"

#include <algorithm>
#include <utility>

namespace fastweights {

std::string BlockName(int i) { return "blk." + std::to_string(i) + "."; }

double RmsEpsilon(HyperParameters& keys) {
  const char* const name = "attention.layer_norm_rms_epsilon";
  const char* const other = "attention.layer_norm_epsilon";
  return keys.Number(keys.Has(name) || !keys.Has(other) ? name : other, 1e-12,
                     0.1);
}

NormPlan RmsNormOf(HyperParameters& keys, const std::string& weight) {
  return {
      .kind = NormKind::kRms, .epsilon = RmsEpsilon(keys), .weight = weight};
}

NormPlan LayerNormOf(HyperParameters& keys, const std::string& name) {
  return {.kind = NormKind::kLayer,
          .epsilon = keys.Number("attention.layer_norm_epsilon", 1e-12, 0.1),
          .weight = name + ".weight",
          .bias = name + ".bias"};
}

void RefuseExperts(HyperParameters& keys, const TensorTable& tensors,
                   const std::string& block) {
  for (const char* name : {"ffn_gate_inp.weight", "ffn_up_exps.weight"}) {
    if (tensors.contains(block + name)) {
      keys.RefuseTensor(block + name, "mixtures of experts");
    }
  }
}

ModelPlan BaseModel(HyperParameters& keys, const TensorTable& tensors) {
  return BaseModel(keys, tensors, RmsNormOf(keys, "output_norm.weight"));
}

ModelPlan BaseModel(HyperParameters& keys, const TensorTable& tensors,
                    NormPlan output_norm) {
  const auto embedding = tensors.find("token_embd.weight");
  ModelPlan plan = {
      .model_dim = keys.Size("embedding_length", 4, kMaxDim),
      .vocab = embedding == tensors.end() ? 0 : embedding->second.rows,
      .context_length = keys.Size("context_length", 1, 1 << 30),
      .embedding = "token_embd.weight",
      .output_norm = std::move(output_norm),
      .head = tensors.contains("output.weight") ? "output.weight"
                                                : "token_embd.weight",
  };
  if (plan.vocab > kMaxVocab) keys.RefuseRows(plan.embedding, kMaxVocab);
  keys.Require(plan.model_dim % 4 == 0, "embedding_length",
               "is not a multiple of 4");
  return plan;
}

BlockPlan RmsBlock(HyperParameters& keys, const std::string& norm,
                   MixerPlan mixer) {
  BlockPlan block;
  block.norm = RmsNormOf(keys, norm);
  block.mixers.push_back(std::move(mixer));
  return block;
}

void AddIfThere(const TensorTable& tensors, const char* role,
                const std::string& name, MixerPlan* plan) {
  if (tensors.contains(name)) plan->tensors[role] = name;
}

MixerPlan FeedForwardPart(HyperParameters& keys, const TensorTable& tensors,
                          const std::string& block, size_t layer) {
  return FeedForwardOf(
      tensors, FeedForwardKind::kSwiGlu, block,
      keys.Size("feed_forward_length", 1, kMaxDim, std::nullopt, layer));
}

MixerPlan FeedForwardOf(const TensorTable& tensors, FeedForwardKind kind,
                        const std::string& block, int inner_dim) {
  MixerPlan plan = {
      .mixer = "feed_forward",
      .sizes = {{"inner_dim", inner_dim}},
      .tensors = {{"up", block + "ffn_up.weight"},
                  {"down", block + "ffn_down.weight"}},
  };
  if (kind == FeedForwardKind::kSwiGlu) {
    plan.tensors["gate"] = block + "ffn_gate.weight";
  }
  AddIfThere(tensors, "gate_bias", block + "ffn_gate.bias", &plan);
  AddIfThere(tensors, "up_bias", block + "ffn_up.bias", &plan);
  AddIfThere(tensors, "down_bias", block + "ffn_down.bias", &plan);
  return plan;
}

void AddLayer(HyperParameters& keys, const TensorTable& tensors, int layer,
              MixerPlan mixer, const char* feed_forward_norm, ModelPlan* plan) {
  const std::string block = BlockName(layer);
  plan->blocks.push_back(
      RmsBlock(keys, block + "attn_norm.weight", std::move(mixer)));
  plan->blocks.push_back(
      RmsBlock(keys, block + feed_forward_norm,
               FeedForwardPart(keys, tensors, block, layer)));
}

void NormQueriesAndKeys(const std::string& block, MixerPlan* plan) {
  plan->tensors["query_norm"] = block + "attn_q_norm.weight";
  plan->tensors["key_norm"] = block + "attn_k_norm.weight";
}

void RefuseUnreadAttention(HyperParameters& keys) {
  keys.RefuseText("rope.scaling.type", "none");
  keys.Refuse("rope.scaling.factor", 1);
  keys.Refuse("attention.causal", 1);
  keys.Refuse("attention.sliding_window_pattern", -1);
  keys.Refuse("attention.clamp_kqv", 0);
  keys.Refuse("attention.max_alibi_bias", 0);
  keys.Refuse("attention.temperature_scale", 0);
  keys.Refuse("attn_logit_softcapping", 0);
  keys.Refuse("final_logit_softcapping", 0);
}

MixerPlan SoftmaxAttentionOf(HyperParameters& keys, const TensorTable& tensors,
                             const std::string& block,
                             const AttentionSizes& sizes,
                             const std::string& heads_key) {
  keys.Require(sizes.query_heads % sizes.kv_heads == 0, heads_key + "_kv",
               "does not divide the number of query heads");
  keys.Require(sizes.query_heads * sizes.dim <= kMaxDim, heads_key,
               "gives too many query channels");
  keys.Require(sizes.dim % 4 == 0 && sizes.dim > 0, heads_key,
               "gives heads whose dim is not a multiple of 4");
  keys.Require(sizes.dim <= kMaxHeadDim, heads_key, "gives too large heads");
  MixerPlan plan = {
      .mixer = "softmax_attention",
      .sizes = {{"query_heads", sizes.query_heads},
                {"kv_heads", sizes.kv_heads},
                {"key_dim", sizes.dim},
                {"norm_epsilon", sizes.norm_epsilon}},
      .tensors = {{"query", block + "attn_q.weight"},
                  {"key", block + "attn_k.weight"},
                  {"value", block + "attn_v.weight"},
                  {"output", block + "attn_output.weight"}},
  };
  if (sizes.window > 0) plan.sizes["window"] = sizes.window;
  if (sizes.rotary_dim > 0) {
    plan.sizes["rotary_dim"] = sizes.rotary_dim;
    plan.sizes["rope_base"] = sizes.rope_base;
  }
  AddIfThere(tensors, "query_norm", block + "attn_q_norm.weight", &plan);
  AddIfThere(tensors, "key_norm", block + "attn_k_norm.weight", &plan);
  AddIfThere(tensors, "query_bias", block + "attn_q.bias", &plan);
  AddIfThere(tensors, "key_bias", block + "attn_k.bias", &plan);
  AddIfThere(tensors, "value_bias", block + "attn_v.bias", &plan);
  AddIfThere(tensors, "output_bias", block + "attn_output.bias", &plan);
  return plan;
}

MixerPlan SoftmaxAttentionPart(HyperParameters& keys,
                               const TensorTable& tensors,
                               const std::string& block, size_t layer) {
  const int query_heads =
      keys.Size("attention.head_count", 1, kMaxHeads, std::nullopt, layer);
  const int model_dim = keys.Size("embedding_length", 4, kMaxDim);
  const int dim = keys.Size("attention.key_length", 4, kMaxHeadDim,
                            model_dim / query_heads);
  // Converters that do not know a layer for attention write no heads for it;
  // then its tensor says how many.
  const auto key = tensors.find(block + "attn_k.weight");
  const bool has_key = key != tensors.end();
  int kv_heads = keys.Size("attention.head_count_kv", has_key ? 0 : 1,
                           kMaxHeads, query_heads, layer);
  if (kv_heads == 0) kv_heads = std::max(1, key->second.rows / dim);
  const int value_dim =
      keys.Size("attention.value_length", 4, kMaxHeadDim, dim);
  const int rotary_dim = keys.Size("rope.dimension_count", 2, dim, dim);
  keys.Require(dim % 4 == 0, "attention.key_length", "is not a multiple of 4");
  keys.Require(value_dim == dim, "attention.value_length",
               "differs from the key length");
  keys.Require(rotary_dim % 2 == 0, "rope.dimension_count", "is odd");
  const bool rotates = keys.Has("rope.freq_base");
  return SoftmaxAttentionOf(
      keys, tensors, block,
      {.query_heads = query_heads,
       .kv_heads = kv_heads,
       .dim = dim,
       .rotary_dim = rotates ? rotary_dim : 0,
       .rope_base = rotates ? keys.Number("rope.freq_base", 1, 1e12) : 0,
       .norm_epsilon = RmsEpsilon(keys),
       .window = keys.Size("attention.sliding_window", 0, 1 << 30, 0)},
      "attention.head_count");
}

}  // namespace fastweights
