// SPDX-License-Identifier: MIT

// Qwen3.5 text models (GGUF architecture qwen35): gated delta layers and full
// attention layers in any pattern, each followed by a SwiGLU. Two dialects of
// the file exist: llama.cpp's names the time-step bias ssm_dt.bias, Ollama's
// ssm_dt with head_count_kv as a list. A trailing block for multi-token
// prediction is skipped; so are vision tensors.

#include "architectures/architecture.h"
#include "architectures/hyper_parameters.h"

namespace fastweights {
namespace {

constexpr int kMaxDim = 1 << 16;
constexpr int kMaxHeads = 4096;
constexpr int kMaxHeadDim = 512;
constexpr int kMaxConvWidth = 8;  // what kernels/short_conv.h takes

LayerPlan GatedDelta(HyperParameters& keys, const TensorTable& tensors,
                     const std::string& block) {
  const int value_heads = keys.Size("ssm.time_step_rank", 1, kMaxHeads);
  const int key_heads = keys.Size("ssm.group_count", 1, kMaxHeads);
  const int key_dim = keys.Size("ssm.state_size", 4, kMaxHeadDim);
  const int inner = keys.Size("ssm.inner_size", 4, kMaxDim);
  keys.Require(value_heads % key_heads == 0, "ssm.group_count",
               "does not divide the number of value heads");
  keys.Require(key_heads * key_dim <= kMaxDim, "ssm.group_count",
               "gives too many key channels");
  keys.Require(key_dim % 4 == 0, "ssm.state_size", "is not a multiple of 4");
  keys.Require(
      inner % (4 * value_heads) == 0 && inner / value_heads <= kMaxHeadDim,
      "ssm.inner_size", "does not give heads of a multiple of 4, at most 512");
  const bool ollama = tensors.contains(block + "ssm_dt");
  return {
      .mixer = "gated_delta",
      .sizes = {{"value_heads", value_heads},
                {"key_heads", key_heads},
                {"key_dim", key_dim},
                {"value_dim", inner / value_heads},
                {"conv_width", keys.Size("ssm.conv_kernel", 2, kMaxConvWidth)}},
      .tensors = {{"qkv", block + "attn_qkv.weight"},
                  {"gate", block + "attn_gate.weight"},
                  {"alpha", block + "ssm_alpha.weight"},
                  {"beta", block + "ssm_beta.weight"},
                  {"conv", block + "ssm_conv1d.weight"},
                  {"dt_bias", block + (ollama ? "ssm_dt" : "ssm_dt.bias")},
                  {"decay", block + "ssm_a"},
                  {"norm", block + "ssm_norm.weight"},
                  {"output", block + "ssm_out.weight"}},
  };
}

LayerPlan SoftmaxAttention(HyperParameters& keys, const std::string& block,
                           size_t layer) {
  const int query_heads =
      keys.Size("attention.head_count", 1, kMaxHeads, std::nullopt, layer);
  const int kv_heads =
      keys.Size("attention.head_count_kv", 1, kMaxHeads, query_heads, layer);
  const int dim = keys.Size("attention.key_length", 4, kMaxHeadDim);
  const int value_dim =
      keys.Size("attention.value_length", 4, kMaxHeadDim, dim);
  const int rotary_dim = keys.Size("rope.dimension_count", 2, dim, dim);
  keys.Require(query_heads % kv_heads == 0, "attention.head_count_kv",
               "does not divide the number of query heads");
  keys.Require(query_heads * dim <= kMaxDim, "attention.head_count",
               "gives too many query channels");
  keys.Require(dim % 4 == 0, "attention.key_length", "is not a multiple of 4");
  keys.Require(value_dim == dim, "attention.value_length",
               "differs from the key length");
  keys.Require(rotary_dim % 2 == 0, "rope.dimension_count", "is odd");
  return {
      .mixer = "softmax_attention",
      .sizes = {{"query_heads", query_heads},
                {"kv_heads", kv_heads},
                {"key_dim", dim},
                {"rotary_dim", rotary_dim},
                {"rope_base", keys.Number("rope.freq_base", 1, 1e12)}},
      .tensors = {{"query", block + "attn_q.weight"},
                  {"key", block + "attn_k.weight"},
                  {"value", block + "attn_v.weight"},
                  {"query_norm", block + "attn_q_norm.weight"},
                  {"key_norm", block + "attn_k_norm.weight"},
                  {"output", block + "attn_output.weight"}},
  };
}

}  // namespace

Result<ModelPlan> PlanQwen35(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "qwen35.");
  const int blocks = keys.Size("block_count", 1, 4096);
  const int predict = keys.Size("nextn_predict_layers", 0, blocks - 1, 0);
  const double epsilon =
      keys.Number("attention.layer_norm_rms_epsilon", 1e-12, 0.1);
  const auto embedding = tensors.find("token_embd.weight");

  ModelPlan plan = {
      .model_dim = keys.Size("embedding_length", 4, kMaxDim),
      .vocab = embedding == tensors.end() ? 0 : embedding->second.rows,
      .norm_epsilon = static_cast<float>(epsilon),
      .context_length = keys.Size("context_length", 1, 1 << 30),
      .embedding = "token_embd.weight",
      .output_norm = "output_norm.weight",
      .head = tensors.contains("output.weight") ? "output.weight"
                                                : "token_embd.weight",
      .layers = {},
  };
  keys.Require(plan.model_dim % 4 == 0, "embedding_length",
               "is not a multiple of 4");

  for (int i = 0; i < blocks - predict && !keys.error(); ++i) {
    const std::string block = "blk." + std::to_string(i) + ".";
    // Which layers are linear is told in three ways by different files, and by
    // the tensors in all of them.
    LayerPlan layer = tensors.contains(block + "ssm_a")
                          ? GatedDelta(keys, tensors, block)
                          : SoftmaxAttention(keys, block, i);
    layer.sizes["norm_epsilon"] = epsilon;
    layer.mixer_norm = block + "attn_norm.weight";
    layer.feed_forward_norm = block + "post_attention_norm.weight";
    layer.gate = block + "ffn_gate.weight";
    layer.up = block + "ffn_up.weight";
    layer.down = block + "ffn_down.weight";
    layer.feed_forward_dim =
        keys.Size("feed_forward_length", 1, kMaxDim, std::nullopt, i);
    plan.layers.push_back(std::move(layer));
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
