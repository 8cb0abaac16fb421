// SPDX-License-Identifier: MIT
#include "runtime/model.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/check.h"
#include "kernels/activations.h"

namespace fastweights {
namespace {

// Whatever memory that takes: so many texts, written together, are the most
// that a page is likely to have.
constexpr int kLeastLogitRows = 8;

// That of "blk.3.attn_qkv.weight", as files name the tensors of their layers.
int LayerOf(const MixerPlan& plan) {
  constexpr std::string_view kBlock = "blk.";
  const std::string& tensor = plan.tensors.begin()->second;
  CHECK(tensor.starts_with(kBlock));
  return std::atoi(tensor.c_str() + kBlock.size());
}

}  // namespace

Result<std::unique_ptr<Model>> Model::Make(const ModelPlan& plan,
                                           const ModelOptions& options,
                                           Weights& weights) {
  std::unique_ptr<Model> model(new Model(plan, options));
  if (plan.head == plan.embedding) {
    model->embedding_ =
        weights.Matrix(plan.embedding, plan.vocab, plan.model_dim);
  } else {
    model->embedding_rows_ =
        weights.Rows(plan.embedding, plan.vocab, plan.model_dim);
    model->head_ = weights.Matrix(plan.head, plan.vocab, plan.model_dim);
  }
  const int dim = plan.model_dim;
  model->embedding_norm_.emplace(plan.embedding_norm, dim, weights);
  model->output_norm_.emplace(plan.output_norm, dim, weights);
  for (const BlockPlan& block : plan.blocks) model->AddBlock(block, weights);
  if (weights.error()) return *weights.error();
  model->scratch_bytes_ = model->ScratchBytes();
  model->thread_scratch_bytes_ =
      std::max(model->thread_scratch_bytes_, weights.thread_scratch_bytes());
  return model;
}

void Model::AddBlock(const BlockPlan& plan, Weights& weights) {
  Block block = {
      .norm = Norm(plan.norm, model_dim(), weights),
      .mixers = {},
      .output_norm = Norm(plan.output_norm, model_dim(), weights),
      .residual_scale = static_cast<float>(plan.residual_scale),
  };
  // Whole cache lines, so that every mixer's state is aligned.
  const auto aligned = [](size_t floats) {
    return AlignedBytes(floats * sizeof(float)) / sizeof(float);
  };
  for (const MixerPlan& mixer_plan : plan.mixers) {
    std::unique_ptr<Mixer> mixer = MakeMixer(model_dim(), mixer_plan, weights);
    CHECK(mixer != nullptr);
    const size_t state = mixer->StateFloats(), page = mixer->KvPageFloats();
    carried_floats_ = std::max(carried_floats_, mixer->CarriedFloats());
    thread_scratch_bytes_ =
        std::max(thread_scratch_bytes_, mixer->ThreadScratchBytes());
    const StateMatrices matrices = mixer->Matrices();
    const int undo = mixer->UndoFloats();
    can_read_again_ = can_read_again_ && (state == 0 || undo > 0);
    block.mixers.push_back({.mixer = std::move(mixer),
                            .state_offset = state_floats_,
                            .page_offset = page_floats_,
                            .trace_offset = trace_floats_,
                            .undo_offset = undo_floats_,
                            .name = mixer_plan.mixer,
                            .layer = LayerOf(mixer_plan)});
    state_floats_ += aligned(state);
    page_floats_ += aligned(page);
    undo_floats_ += undo;
    trace_floats_ +=
        static_cast<uint64_t>(matrices.heads) * matrices.trace_floats;
  }
  blocks_.push_back(std::move(block));
}

std::vector<const PlacedMixer*> Model::StateLayers() const {
  std::vector<const PlacedMixer*> layers;
  for (const Block& block : blocks_) {
    for (const PlacedMixer& placed : block.mixers) {
      if (placed.mixer->Matrices().heads > 0) layers.push_back(&placed);
    }
  }
  return layers;
}

void Model::Embed(int token, float* out) const {
  if (embedding_rows_) {
    embedding_rows_->Gather(token, out);
  } else {
    embedding_->Gather(token, out);
  }
  if (plan_.embedding_scale != 1) {
    Scale(model_dim(), static_cast<float>(plan_.embedding_scale), out);
  }
  embedding_norm_->Apply(1, out, out);
}

void Model::Head(int rows, float* x, float* logits) {
  {
    const ProfileScope scope(workspace_.profile(), {"residual and norm"});
    output_norm_->Apply(rows, x, x);
  }
  const ArenaScope scope(workspace_.arena());
  ProductInput input(rows, model_dim(), x, workspace_);
  (head_ ? *head_ : *embedding_).Multiply(input, logits, vocab());
  const size_t count = static_cast<size_t>(rows) * vocab();
  if (plan_.logit_scale != 1) {
    Scale(count, static_cast<float>(plan_.logit_scale), logits);
  }
  if (plan_.logit_cap != 0) {
    SoftCap(count, static_cast<float>(plan_.logit_cap), logits);
  }
}

uint64_t Model::ScratchBytes() {
  const auto floats = [&](uint64_t count) -> uint64_t {
    return sizeof(float) * count + kAlignment;
  };
  const uint64_t row = model_dim();
  uint64_t block_bytes = 0;
  for (const Block& block : blocks_) {
    uint64_t mixer_bytes = 0;
    for (const PlacedMixer& placed : block.mixers) {
      mixer_bytes = std::max<uint64_t>(
          mixer_bytes, placed.mixer->ScratchBytes(batch_tokens()));
    }
    // Side by side, outputs are added up beside the input.
    const int sums = block.mixers.size() > 1 ? 2 : 0;
    block_bytes = std::max(
        block_bytes, ProductInput::ScratchBytes(batch_tokens(), model_dim()) +
                         mixer_bytes + sums * floats(batch_tokens() * row));
  }
  // After the last block come the head's input and logits: as many rows as fit
  // into the same memory, and a few in any case.
  const auto head_bytes = [&](int rows) -> uint64_t {
    return floats(static_cast<uint64_t>(rows) * vocab()) +
           ProductInput::ScratchBytes(rows, model_dim());
  };
  logit_rows_ = std::min(kLogitRows, batch_tokens());
  while (logit_rows_ > kLeastLogitRows &&
         head_bytes(logit_rows_) > block_bytes) {
    --logit_rows_;
  }
  block_bytes = std::max(block_bytes, head_bytes(logit_rows_));
  // The residual stream, and the normalised input that outputs replace.
  return 2 * floats(batch_tokens() * row) +
         floats(static_cast<size_t>(batch_tokens()) * carried_floats_) +
         block_bytes;
}

}  // namespace fastweights
