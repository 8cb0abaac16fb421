// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/plan.h"
#include "base/workspace.h"
#include "formats/weights.h"
#include "mixers/mixer.h"
#include "runtime/norm.h"

namespace fastweights {

// A mixer, and where its share of a session's memory is.
struct PlacedMixer {
  std::unique_ptr<Mixer> mixer;
  uint64_t state_offset;  // floats into a session's constant state
  uint64_t page_offset;   // floats into each of its KV pages
  uint64_t trace_offset;  // floats into the traces of its last token
  uint64_t undo_offset;   // floats into what a token leaves to go back by
  std::string name;       // its key in mixers.inc
  int layer;              // of the file
};

// See BlockPlan.
struct Block {
  // Tokens before one whose output is wanted that still count here, and behind
  // this block.
  int64_t reach, reach_behind;
  Norm norm;
  std::vector<PlacedMixer> mixers;
  Norm output_norm;
  float residual_scale;
};

// Residual blocks and what they take, in 64 bits: what a hostile file asks for
// may not fit in a size_t.
class ResidualBlocks {
 public:
  // `kv`: how their softmax layers keep keys and values.
  explicit ResidualBlocks(int dim, KvType kv = KvType::kF32)
      : dim_(dim), kv_(kv) {}

  // Check weights.error() before using them.
  void Add(const BlockPlan& plan, Weights& weights);

  auto begin() const { return blocks_.begin(); }
  auto end() const { return blocks_.end(); }
  // Of a session.
  uint64_t state_floats() const { return state_floats_; }
  uint64_t page_floats() const { return page_floats_; }
  // Of all mixers whose state is matrices, what each head's last token did.
  uint64_t trace_floats() const { return trace_floats_; }
  // Whether texts can be taken back to a token within their last pass, and what
  // a token of it leaves for that.
  bool can_read_again() const { return can_read_again_; }
  uint64_t undo_floats() const { return undo_floats_; }
  // Of a pass over so many tokens, but for x.
  uint64_t ScratchBytes(int tokens) const;
  size_t thread_scratch_bytes() const { return thread_scratch_bytes_; }

  // What each text of a pass brings to a mixer, into [texts].
  using Stretches = std::function<void(const PlacedMixer&, Stretch*)>;
  // Runs the blocks over x [tokens, dim] of so many texts, at most
  // kMostStretches; x becomes the last one's output [wanted rows, dim]. What
  // neither these nor a state depend on is not computed.
  void Run(int tokens, int texts, const Stretches& stretches,
           Workspace& workspace, float* x) const;

 private:
  int dim_;
  KvType kv_;
  std::vector<Block> blocks_;
  int carried_floats_ = 0;  // of each token that mixers leave for later ones
  uint64_t state_floats_ = 0;
  uint64_t page_floats_ = 0;
  uint64_t trace_floats_ = 0;
  uint64_t undo_floats_ = 0;
  bool can_read_again_ = true;
  size_t thread_scratch_bytes_ = 0;
};

// Texts of one pass, at most.
inline constexpr int kMostStretches = 16;

}  // namespace fastweights
