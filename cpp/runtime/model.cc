// SPDX-License-Identifier: MIT
#include "runtime/model.h"

#include <algorithm>

#include "base/check.h"
#include "kernels/activations.h"

namespace fastweights {
namespace {

// Whatever memory that takes: so many texts, written together, are the most
// that a page is likely to have.
constexpr int kLeastLogitRows = 8;

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
  for (const BlockPlan& block : plan.blocks) model->blocks_.Add(block, weights);
  if (plan.guess && options.guesses) {
    model->guess_block_ =
        std::make_unique<GuessBlock>(*plan.guess, dim, plan.vocab, weights);
  }
  if (weights.error()) return *weights.error();
  model->scratch_bytes_ = model->ScratchBytes();
  const auto& guess = model->guess_block_;
  model->thread_scratch_bytes_ = std::max(
      {model->blocks_.thread_scratch_bytes(), weights.thread_scratch_bytes(),
       guess ? guess->thread_scratch_bytes() : 0});
  return model;
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
  HeadProduct(vocab(), rows, x, logits);
  const size_t count = static_cast<size_t>(rows) * vocab();
  if (plan_.logit_scale != 1) {
    Scale(count, static_cast<float>(plan_.logit_scale), logits);
  }
  if (plan_.logit_cap != 0) {
    SoftCap(count, static_cast<float>(plan_.logit_cap), logits);
  }
}

void Model::HeadProduct(int tokens, int rows, const float* x, float* logits) {
  const ArenaScope scope(workspace_.arena());
  ProductInput input(rows, model_dim(), x, workspace_);
  (head_ ? *head_ : *embedding_).MultiplyFirst(tokens, input, logits, tokens);
}

uint64_t Model::ScratchBytes() {
  const auto floats = [&](uint64_t count) -> uint64_t {
    return sizeof(float) * count + kAlignment;
  };
  uint64_t bytes = blocks_.ScratchBytes(batch_tokens());
  // After the last block come the head's input and logits: as many rows as fit
  // into the same memory, and a few in any case.
  const auto head_bytes = [&](int rows) -> uint64_t {
    return floats(static_cast<uint64_t>(rows) * vocab()) +
           ProductInput::ScratchBytes(rows, model_dim());
  };
  logit_rows_ = std::min(kLogitRows, batch_tokens());
  while (logit_rows_ > kLeastLogitRows && head_bytes(logit_rows_) > bytes) {
    --logit_rows_;
  }
  bytes = std::max(bytes, head_bytes(logit_rows_));
  if (guess_block_) {
    bytes = std::max(bytes, guess_block_->ScratchBytes(GuessRows()));
  }
  // And the residual stream.
  return floats(static_cast<uint64_t>(batch_tokens()) * model_dim()) + bytes;
}

}  // namespace fastweights
