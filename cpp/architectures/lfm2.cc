// SPDX-License-Identifier: MIT

// LFM2 and LFM2.5 text models (GGUF architecture lfm2): gated short
// convolutions, and attention with normalised queries and keys where
// head_count_kv, a list, is not zero; each followed by a SwiGLU. The last norm
// is called token_embd_norm, for historical reasons.

#include "architectures/architecture.h"
#include "architectures/hyper_parameters.h"
#include "architectures/parts.h"

namespace fastweights {
namespace {

MixerPlan ShortConv(HyperParameters& keys, const TensorTable& tensors,
                    const std::string& block) {
  MixerPlan plan = {
      .mixer = "short_conv",
      .sizes = {{"conv_width",
                 keys.Size("shortconv.l_cache", 2, kMaxConvWidth)}},
      .tensors = {{"input", block + "shortconv.in_proj.weight"},
                  {"conv", block + "shortconv.conv.weight"},
                  {"output", block + "shortconv.out_proj.weight"}},
  };
  AddIfThere(tensors, "input_bias", block + "shortconv.in_proj.bias", &plan);
  AddIfThere(tensors, "conv_bias", block + "shortconv.conv.bias", &plan);
  AddIfThere(tensors, "output_bias", block + "shortconv.out_proj.bias", &plan);
  return plan;
}

MixerPlan SoftmaxAttention(HyperParameters& keys, const TensorTable& tensors,
                           const std::string& block, size_t layer) {
  MixerPlan plan = SoftmaxAttentionPart(keys, tensors, block, layer);
  NormQueriesAndKeys(block, &plan);
  keys.Number("rope.freq_base", 1, 1e12);
  return plan;
}

}  // namespace

Result<ModelPlan> PlanLfm2(const Config& config, const TensorTable& tensors) {
  HyperParameters keys(config, "lfm2.");
  const int blocks = keys.Size("block_count", 1, kMaxBlocks);
  ModelPlan plan = BaseModel(keys, tensors);
  if (!tensors.contains("output_norm.weight")) {
    plan.output_norm.weight = "token_embd_norm.weight";
  }
  RefuseUnreadAttention(keys);
  keys.Refuse("expert_count", 0);
  for (int i = 0; i < blocks && !keys.error(); ++i) {
    const std::string block = BlockName(i);
    const int kv_heads =
        keys.Size("attention.head_count_kv", 0, kMaxHeads, std::nullopt, i);
    MixerPlan mixer = kv_heads == 0 ? ShortConv(keys, tensors, block)
                                    : SoftmaxAttention(keys, tensors, block, i);
    AddLayer(keys, tensors, i, std::move(mixer), "ffn_norm.weight", &plan);
  }
  if (keys.error()) return *keys.error();
  return plan;
}

}  // namespace fastweights
