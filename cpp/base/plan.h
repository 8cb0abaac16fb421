// SPDX-License-Identifier: MIT
#pragma once

#include <map>
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
};

}  // namespace fastweights
