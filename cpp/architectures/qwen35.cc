// SPDX-License-Identifier: MIT

// Qwen3.5 text models (GGUF architecture qwen35): gated delta layers and full
// attention layers in any pattern, each followed by a SwiGLU. Two dialects of
// the file exist: llama.cpp's names the time-step bias ssm_dt.bias, Ollama's
// ssm_dt with head_count_kv as a list. The first trailing block for multi-token
// prediction guesses; further ones are skipped, and so are vision tensors.

#include "architectures/architecture.h"
#include "architectures/hyper_parameters.h"
#include "architectures/parts.h"

namespace fastweights {
namespace {

MixerPlan GatedDelta(HyperParameters& keys, const TensorTable& tensors,
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
  MixerPlan plan = {
      .mixer = "gated_delta",
      .sizes = {{"value_heads", value_heads},
                {"key_heads", key_heads},
                {"key_dim", key_dim},
                {"value_dim", inner / value_heads},
                {"conv_width", keys.Size("ssm.conv_kernel", 2, kMaxConvWidth)},
                {"norm_epsilon",
                 keys.Number("attention.layer_norm_rms_epsilon", 1e-12, 0.1)}},
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
  // Files have value heads in an order of their own, checkpoints do not.
  if (keys.Number("ssm.v_head_reordered", 0, 1, 1) == 0) {
    plan.sizes["grouped_heads"] = 1;
  }
  return plan;
}

MixerPlan SoftmaxAttention(HyperParameters& keys, const TensorTable& tensors,
                           const std::string& block, size_t layer) {
  MixerPlan plan = SoftmaxAttentionPart(keys, tensors, block, layer);
  plan.sizes["has_gate"] = 1;
  NormQueriesAndKeys(block, &plan);
  keys.Number("rope.freq_base", 1, 1e12);
  return plan;
}

// None where the block is not one that runs: with an embedding or a head of its
// own, say. The model does without.
std::optional<GuessPlan> Guess(HyperParameters keys, const TensorTable& tensors,
                               int layer) {
  const std::string block = BlockName(layer), nextn = block + "nextn.";
  if (!tensors.contains(nextn + "eh_proj.weight") ||
      tensors.contains(nextn + "embed_tokens.weight") ||
      tensors.contains(nextn + "shared_head_head.weight")) {
    return std::nullopt;
  }
  const std::string own_norm = nextn + "shared_head_norm.weight";
  MixerPlan mixer = SoftmaxAttention(keys, tensors, block, layer);
  mixer.sizes["window"] = kGuessWindow;
  ModelPlan blocks;
  AddLayer(keys, tensors, layer, std::move(mixer), "post_attention_norm.weight",
           &blocks);
  GuessPlan plan = {
      .embedding_norm = RmsNormOf(keys, nextn + "enorm.weight"),
      .hidden_norm = RmsNormOf(keys, nextn + "hnorm.weight"),
      .project = nextn + "eh_proj.weight",
      .blocks = std::move(blocks.blocks),
      .output_norm = RmsNormOf(
          keys, tensors.contains(own_norm) ? own_norm : "output_norm.weight")};
  if (keys.error()) return std::nullopt;
  return plan;
}

}  // namespace

Result<ModelPlan> PlanQwen35(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "qwen35.");
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  const int predict = keys.Size("nextn_predict_layers", 0, blocks - 1, 0);
  ModelPlan plan = BaseModel(keys, tensors);
  for (int i = 0; i < blocks - predict && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    // Which layers are linear is told in three ways by different files, and by
    // the tensors in all of them.
    MixerPlan mixer = tensors.contains(block + "ssm_a")
                          ? GatedDelta(keys, tensors, block)
                          : SoftmaxAttention(keys, tensors, block, i);
    AddLayer(keys, tensors, i, std::move(mixer), "post_attention_norm.weight",
             &plan);
  }
  if (keys.error()) return *keys.error();
  if (predict > 0) plan.guess = Guess(keys, tensors, blocks - predict);
  return plan;
}

}  // namespace fastweights
