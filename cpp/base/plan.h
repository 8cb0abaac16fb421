// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"

namespace fastweights {

// One stored tensor, as the file's header declares it.
struct TensorShape {
  std::string name;
  int type;     // ggml type id
  int columns;  // contiguous length, ne[0]
  int rows;     // product of the other dimensions
};

// Stored tensors by name.
using TensorTable = std::map<std::string, TensorShape>;

// What a mixer is to be built from: its key in mixers.inc, its sizes and the
// names of its tensors, each under the name that the mixer's header gives.
struct MixerPlan {
  std::string mixer;
  std::map<std::string, double> sizes;
  std::map<std::string, std::string> tensors;

  double Number(const char* name) const {
    const auto found = sizes.find(name);
    CHECK(found != sizes.end());
    return found->second;
  }
  double Number(const char* name, double otherwise) const {
    const auto found = sizes.find(name);
    return found == sizes.end() ? otherwise : found->second;
  }
  int Size(const char* name) const { return static_cast<int>(Number(name)); }
  int Size(const char* name, int otherwise) const {
    return static_cast<int>(Number(name, otherwise));
  }
  const std::string& Tensor(const char* role) const {
    const auto found = tensors.find(role);
    CHECK(found != tensors.end());
    return found->second;
  }
  // Whether it has a tensor that mixers of its kind may go without.
  bool Has(const char* role) const { return tensors.contains(role); }
};

enum class NormKind { kNone, kRms, kLayer };

struct NormPlan {
  NormKind kind = NormKind::kNone;
  double epsilon = 0;
  std::string weight{};  // tensor [dim]
  std::string bias{};    // tensor [dim], of layer norms
};

// A residual block:
//
//   x <- x + residual_scale * output_norm(sum over mixers of mixer(norm(x)))
//
// A feed-forward is a mixer, of channels.
struct BlockPlan {
  NormPlan norm{};
  std::vector<MixerPlan> mixers{};  // of the same input, side by side
  NormPlan output_norm{};
  double residual_scale = 1;
};

// Tokens that a block for guesses attends to: of its own next choices the
// embedded model's is right in 92.9 % with all of 384, in 92.3 % with these and
// in 89.8 % with half of them, and a session's share of it does not grow.
inline constexpr int kGuessWindow = 64;

// A block that guesses the token after the next (multi-token prediction:
// Gloeckle et al. 2024; DeepSeek-V3, section 2.2; Qwen3.5's `mtp`):
//
//   x = project [embedding_norm(embedding of the next token), hidden_norm(h)]
//   h' = output_norm(the blocks over x);  logits of the guess = head(h')
//
// where h is the last block's output at a token, behind the model's output
// norm, or for the guess after another the h' of that. Its mixers have no
// constant state.
struct GuessPlan {
  NormPlan embedding_norm{};
  NormPlan hidden_norm{};
  std::string project{};  // tensor [model_dim, 2 * model_dim]
  std::vector<BlockPlan> blocks{};
  NormPlan output_norm{};
};

// A model as data: written by cpp/architectures, read by runtime/model.cc.
//
//   x = embedding_norm(embedding_scale * embedding[token]);  the blocks
//   logits = cap(logit_scale * head(output_norm(x)))
//
// where cap(y) is logit_cap * tanh(y / logit_cap), or y if that is 0.
struct ModelPlan {
  int model_dim = 0;
  int vocab = 0;
  int context_length = 0;   // tokens the model was trained for
  std::string embedding{};  // tensor [vocab, model_dim]
  double embedding_scale = 1;
  NormPlan embedding_norm{};
  NormPlan output_norm{};
  std::string head{};  // tensor [vocab, model_dim]; the embedding if tied
  double logit_scale = 1;
  double logit_cap = 0;
  std::vector<BlockPlan> blocks{};
  std::optional<GuessPlan> guess{};
};

}  // namespace fastweights
