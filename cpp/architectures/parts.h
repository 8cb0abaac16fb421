// SPDX-License-Identifier: MIT
#pragma once

// What several architectures are made of, from the keys and tensors that files
// name alike.

#include <string>

#include "architectures/hyper_parameters.h"
#include "base/plan.h"

namespace fastweights {

// Beyond these a header is damaged or hostile.
inline constexpr int kMaxDim = 1 << 16;
inline constexpr int kMaxBlocks = 4096;
// A hundred times the largest that is published.
inline constexpr int kMaxVocab = 1 << 25;
inline constexpr int kMaxHeads = 4096;
inline constexpr int kMaxHeadDim = 512;
inline constexpr int kMaxConvWidth = 8;  // what kernels/short_conv.h takes

// "blk.<i>."
std::string BlockName(int i);

// Of RMS norms: attention.layer_norm_rms_epsilon or, where only that is there
// (nemotron_h), attention.layer_norm_epsilon.
double RmsEpsilon(HyperParameters& keys);

// An RMS norm, of that epsilon.
NormPlan RmsNormOf(HyperParameters& keys, const std::string& weight);

// A layer norm, of the epsilon under attention.layer_norm_epsilon; `name` is
// without ".weight" and ".bias".
NormPlan LayerNormOf(HyperParameters& keys, const std::string& name);

// Refuses a block whose feed-forward is a mixture of experts.
void RefuseExperts(HyperParameters& keys, const TensorTable& tensors,
                   const std::string& block);

// Sizes, embedding and head, which is the embedding where there is no
// output.weight; the output norm is RMS, under output_norm.weight. No blocks.
ModelPlan BaseModel(HyperParameters& keys, const TensorTable& tensors);
// The same with another output norm.
ModelPlan BaseModel(HyperParameters& keys, const TensorTable& tensors,
                    NormPlan output_norm);

// A block of one mixer behind an RMS norm.
BlockPlan RmsBlock(HyperParameters& keys, const std::string& norm,
                   MixerPlan mixer);

// The tensor's name under a role, where the file has it.
void AddIfThere(const TensorTable& tensors, const char* role,
                const std::string& name, MixerPlan* plan);

// A SwiGLU of ffn_gate, ffn_up and ffn_down, with what the file has of biases.
MixerPlan FeedForwardPart(HyperParameters& keys, const TensorTable& tensors,
                          const std::string& block, size_t layer);

// A layer of two blocks behind RMS norms: the mixer behind attn_norm, and a
// SwiGLU behind the norm that is named.
void AddLayer(HyperParameters& keys, const TensorTable& tensors, int layer,
              MixerPlan mixer, const char* feed_forward_norm, ModelPlan* plan);

enum class FeedForwardKind { kSwiGlu, kReluSquared };

// A feed-forward of a given inner_dim; relu squared has no ffn_gate.
MixerPlan FeedForwardOf(const TensorTable& tensors, FeedForwardKind kind,
                        const std::string& block, int inner_dim);

// Of softmax attention, checked or from numbers that were.
struct AttentionSizes {
  int query_heads;
  int kv_heads;
  int dim;         // of a head
  int rotary_dim;  // 0: no positions
  double rope_base;
  double norm_epsilon;  // of norms of queries and keys
  int window = 0;       // 0: all positions
};

// What SoftmaxAttentionPart has of tensors, with the limits of its sizes; the
// heads' keys are named in errors.
MixerPlan SoftmaxAttentionOf(HyperParameters& keys, const TensorTable& tensors,
                             const std::string& block,
                             const AttentionSizes& sizes,
                             const std::string& heads_key);

// Keeps an error for keys of attention that change what it computes and that
// SoftmaxAttentionPart does not read: scaled positions, caps, other masks. It
// reads attention.sliding_window for every layer.
void RefuseUnreadAttention(HyperParameters& keys);

// Norms of queries and keys that a file must have.
void NormQueriesAndKeys(const std::string& block, MixerPlan* plan);

// attn_q, attn_k, attn_v and attn_output, with what the file has of biases and
// of norms of queries and keys. Positions on rope.dimension_count dims if
// rope.freq_base is there. For the caller: scale, has_gate, rope_neighbours.
MixerPlan SoftmaxAttentionPart(HyperParameters& keys,
                               const TensorTable& tensors,
                               const std::string& block, size_t layer);

}  // namespace fastweights
