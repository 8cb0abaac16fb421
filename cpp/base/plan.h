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
struct LayerPlan {
  std::string mixer;
  std::map<std::string, double> sizes;
  std::map<std::string, std::string> tensors;

  double Number(const char* name) const {
    const auto found = sizes.find(name);
    CHECK(found != sizes.end());
    return found->second;
  }
  int Size(const char* name) const { return static_cast<int>(Number(name)); }
  const std::string& Tensor(const char* role) const {
    const auto found = tensors.find(role);
    CHECK(found != tensors.end());
    return found->second;
  }

  std::string mixer_norm{};         // tensor [model_dim]
  std::string feed_forward_norm{};  // tensor [model_dim]
  std::string gate{}, up{},
      down{};  // SwiGLU: [ff, model], [ff, model], [model, ff]
  int feed_forward_dim = 0;
};

// A model as data: written by cpp/architectures, read by runtime/model.cc.
struct ModelPlan {
  int model_dim = 0;
  int vocab = 0;
  float norm_epsilon = 0;
  int context_length = 0;   // tokens the model was trained for
  std::string embedding;    // tensor [vocab, model_dim]
  std::string output_norm;  // tensor [model_dim]
  std::string head;         // tensor [vocab, model_dim]; the embedding if tied
  std::vector<LayerPlan> layers;
};

}  // namespace fastweights
