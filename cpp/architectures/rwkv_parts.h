// SPDX-License-Identifier: MIT
#pragma once

// What RWKV's architectures have in common.

#include <initializer_list>
#include <string>

#include "architectures/parts.h"

namespace fastweights {

// Norms of heads have this epsilon in GGUF files, whatever the model's own.
inline constexpr double kRwkvHeadEpsilon = 64e-5;

// Sizes, embedding and head, with layer norms after the embedding and before
// the head. No blocks.
ModelPlan RwkvModel(HyperParameters& keys, const TensorTable& tensors);

// A block of one mixer behind a layer norm, whose name is without ".weight".
BlockPlan RwkvBlock(HyperParameters& keys, const TensorTable& tensors,
                    const std::string& norm, MixerPlan mixer);

// Of wkv.head_size, which divides the embedding's length.
int RwkvHeads(HyperParameters& keys);

// The tensors under the same names as their roles, behind "time_mix_".
void AddTimeMix(const std::string& block,
                std::initializer_list<const char*> roles, MixerPlan* plan);
// And those that the file has, biases among them.
void AddTimeMixIfThere(const TensorTable& tensors, const std::string& block,
                       MixerPlan* plan);

// channel_mix_key, channel_mix_value and, of RWKV-6, channel_mix_receptance.
MixerPlan ChannelMixPart(HyperParameters& keys, const TensorTable& tensors,
                         const std::string& block);

}  // namespace fastweights
