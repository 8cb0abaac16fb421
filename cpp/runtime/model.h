// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/plan.h"
#include "base/result.h"
#include "base/workspace.h"
#include "formats/weights.h"
#include "runtime/guess_block.h"
#include "runtime/norm.h"
#include "runtime/pass_choice.h"
#include "runtime/residual_blocks.h"
#include "runtime/thread_pool.h"

namespace fastweights {

// What the caller of a load decides.
struct ModelOptions {
  int batch_tokens = 512;  // that one forward pass takes at most; >= 1
  int threads = 1;         // that share its work, the caller's among them
  MatrixForm weights = MatrixForm::kStored;
  bool guesses = false;  // whether it takes the block for them, if there is one
  KvType kv = KvType::kF32;          // of softmax layers' keys and values
  uint64_t memory_bytes = SIZE_MAX;  // that can be addressed
  // Of a model that outlives it and never runs at the same time: what it shares
  // instead of having threads of its own.
  Threads* pool = nullptr;
};

// Rows of logits that are computed at once, at most: of tokens where all are
// asked for, of texts that are written together.
inline constexpr int kLogitRows = kMostStretches;

// Weights and the order in which they are used; fixed once loaded. Sessions
// share it and run one at a time, which is why the scratch memory is here.
class Model {
 public:
  // Lays the model out and asks `weights` for every tensor; holds no weight
  // until they are appended to the sinks, no scratch before Reserve().
  static Result<std::unique_ptr<Model>> Make(const ModelPlan& plan,
                                             const ModelOptions& options,
                                             Weights& weights);
  // False: out of memory.
  bool Reserve() {
    return workspace_.Reserve(scratch_bytes_, thread_scratch_bytes_);
  }

  int batch_tokens() const { return options_.batch_tokens; }
  // That share the work: as many as were asked for, or one.
  int threads() const { return workspace_.threads().count(); }
  KvType kv() const { return options_.kv; }
  // Rows of logits that one forward pass gives at most.
  int logit_rows() const { return logit_rows_; }
  int model_dim() const { return plan_.model_dim; }
  int vocab() const { return plan_.vocab; }
  int context_length() const { return plan_.context_length; }
  const ResidualBlocks& blocks() const { return blocks_; }
  // Null: it has none, or it was not asked for.
  const GuessBlock* guess_block() const { return guess_block_.get(); }
  // A token as the first block takes it, [model_dim].
  void Embed(int token, float* out) const;
  // Logits [rows, vocab] from the last block's output [rows, model_dim], which
  // is normalised in place.
  void Head(int rows, float* x, float* logits);
  // x [rows, model_dim] as the head takes it.
  const Norm& output_norm() const { return *output_norm_; }
  // Logits [rows, tokens] of the first tokens alone, as the head's product has
  // them, of x that is normalised.
  void HeadProduct(int tokens, int rows, const float* x, float* logits);
  Workspace& workspace() { return workspace_; }
  PassChoices& pass_choices() { return pass_choices_; }

  // From Start on every pass is charged to a profile, until Stop.
  void StartProfile() {
    profile_ = std::make_unique<Profile>();
    workspace_.set_profile(profile_.get());
  }
  std::vector<Profile::Row> StopProfile() {
    workspace_.set_profile(nullptr);
    return profile_ ? std::exchange(profile_, nullptr)->rows()
                    : std::vector<Profile::Row>();
  }

  uint64_t state_floats() const { return blocks_.state_floats(); }
  uint64_t page_floats() const { return blocks_.page_floats(); }
  uint64_t trace_floats() const { return blocks_.trace_floats(); }
  bool can_read_again() const { return blocks_.can_read_again(); }
  uint64_t undo_floats() const { return blocks_.undo_floats(); }
  // Those of whose state is matrices, in order.
  std::vector<const PlacedMixer*> StateLayers() const;
  uint64_t scratch_bytes() const {
    return scratch_bytes_ +
           static_cast<uint64_t>(threads()) * thread_scratch_bytes_;
  }

 private:
  Model(const ModelPlan& plan, const ModelOptions& options)
      : plan_(plan),
        options_(options),
        blocks_(plan.model_dim, options.kv),
        workspace_(options.pool ? Workspace(options.pool)
                                : Workspace(MakeThreads(options.threads))) {}
  // Sets logit_rows_ too.
  uint64_t ScratchBytes();
  // Tokens whose guesses are made in one pass, at most.
  int GuessRows() const { return std::min(kGuessWindow, batch_tokens()); }

  ModelPlan plan_;
  ModelOptions options_;
  // An embedding that is the head too is one matrix; where there is a head of
  // its own, the embedding is rows alone.
  std::unique_ptr<Linear> embedding_;
  std::unique_ptr<RowStore> embedding_rows_;
  std::unique_ptr<Linear> head_;
  std::optional<Norm> embedding_norm_, output_norm_;
  ResidualBlocks blocks_;
  std::unique_ptr<GuessBlock> guess_block_;
  uint64_t scratch_bytes_ = 0;
  size_t thread_scratch_bytes_ = 0;
  int logit_rows_ = 0;
  Workspace workspace_;
  PassChoices pass_choices_;
  std::unique_ptr<Profile> profile_;
};

}  // namespace fastweights
