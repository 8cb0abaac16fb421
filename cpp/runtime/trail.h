// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/arena.h"

namespace fastweights {

// A place in a text to come back to: what the text has left behind there, but
// for its KV pages, which only grow.
struct Checkpoint {
  Buffer<float> state;
  Buffer<float> logits;      // null: not kept
  std::vector<int> history;  // of the sampler
  int position;
  size_t bytes;  // of the state and the logits
};

// The way of a text from one place on, token by token, to come back to after
// any of them without a product of weights: what the text had left behind at
// the start, and of each token read since the products by which mixers get from
// one to the next (Mixer::ReadAgain). They are a fraction of the state: of the
// embedded model 37 kB, where a copy of the state is 1.1 MB.
struct Trail {
  struct Step {
    int token;
    // [undo_floats], then the last block's output [model_dim], of which the
    // head makes logits.
    Buffer<float> floats;
  };

  std::unique_ptr<Checkpoint> start;  // with its logits
  std::vector<Step> steps;
  size_t step_bytes;

  size_t bytes() const { return start->bytes + steps.size() * step_bytes; }
  // From now on it leads to its start alone.
  void Thin() { std::vector<Step>().swap(steps); }
};

}  // namespace fastweights
