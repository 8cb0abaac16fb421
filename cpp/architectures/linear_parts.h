// SPDX-License-Identifier: MIT
#pragma once

// What the architectures of flash-linear-attention share. Their keys and
// tensors are those of docs/checkpoints.md.

#include <string>

#include "architectures/hyper_parameters.h"
#include "base/plan.h"
#include "base/result.h"

namespace fastweights {

// Of a linear layer; one of queries and values is as many as there are keys.
struct LinearHeads {
  int queries;
  int keys;
  int values;
  int key_dim = 0;
  int value_dim = 0;
};

// attention.key_length and value_length under heads that have been read.
LinearHeads WithDims(HyperParameters& keys, LinearHeads heads);

// attn_q, attn_k, attn_v, attn_output and ssm_norm, with what the file has of a
// convolution, which ends in SiLU, of betas and of a gate. For the caller: all
// else that mixers/linear_attention.cc takes.
MixerPlan LinearAttentionPart(HyperParameters& keys, const TensorTable& tensors,
                              const std::string& block,
                              const LinearHeads& heads);

// Heads of queries, and of keys and values that several of them may share.
LinearHeads SharedValueHeads(HyperParameters& keys);

// `<name>_a.weight`, `<name>_b.weight` and, if it is there, `<name>_b.bias`.
void AddLowRank(const TensorTable& tensors, const std::string& role,
                const std::string& name, MixerPlan* plan);

// attention.feature_map of queries and keys.
void AddFeatureMap(HyperParameters& keys, MixerPlan* plan);

// What makes it a gated delta rule: alpha, dt and a, SiLU and l2 norms of
// queries and keys, betas.
void AddGatedDelta(HyperParameters& keys, const std::string& block,
                   MixerPlan* plan);

// The same with heads of values in attention.value_head_count.
MixerPlan GatedDeltaPart(HyperParameters& keys, const TensorTable& tensors,
                         const std::string& block);

// A model of blocks with pre-norms: the architecture's mixer, or softmax
// attention where a block has no ssm_norm, then a SwiGLU.
Result<ModelPlan> PlanLinearModel(HyperParameters& keys,
                                  const TensorTable& tensors,
                                  MixerPlan (*mixer)(HyperParameters&,
                                                     const TensorTable&,
                                                     const std::string& block));

}  // namespace fastweights
