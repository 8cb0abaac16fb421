// SPDX-License-Identifier: MIT
#include "runtime/model.h"

#include <algorithm>

#include "base/check.h"

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
  model->output_norm_ = weights.Vector(plan.output_norm, plan.model_dim);
  for (const LayerPlan& layer : plan.layers) model->AddLayer(layer, weights);
  if (weights.error()) return *weights.error();
  model->scratch_bytes_ = model->ScratchBytes();
  model->thread_scratch_bytes_ = weights.thread_scratch_bytes();
  return model;
}

void Model::AddLayer(const LayerPlan& plan, Weights& weights) {
  Layer layer = {
      .mixer_norm = weights.Vector(plan.mixer_norm, model_dim()),
      .mixer = MakeMixer(model_dim(), plan, weights),
      .feed_forward_norm = weights.Vector(plan.feed_forward_norm, model_dim()),
      .feed_forward = std::make_unique<FeedForward>(model_dim(), plan, weights),
      .state_offset = state_floats_,
      .page_offset = page_floats_,
  };
  CHECK(layer.mixer != nullptr);
  // Whole cache lines, so that every layer's state is aligned.
  const auto aligned = [](size_t floats) {
    return AlignedBytes(floats * sizeof(float)) / sizeof(float);
  };
  state_floats_ += aligned(layer.mixer->StateFloats());
  page_floats_ += aligned(layer.mixer->KvPageFloats());
  layers_.push_back(std::move(layer));
}

uint64_t Model::ScratchBytes() {
  const auto floats = [&](size_t count) -> uint64_t {
    return AlignedBytes(sizeof(float) * count);
  };
  const size_t row = static_cast<size_t>(model_dim());
  uint64_t layer_bytes = 0;
  for (const Layer& layer : layers_) {
    layer_bytes = std::max<uint64_t>(
        {layer_bytes,
         ProductInput::ScratchBytes(batch_tokens(), model_dim()) +
             layer.mixer->ScratchBytes(batch_tokens()),
         layer.feed_forward->ScratchBytes(batch_tokens())});
  }
  // After the last layer come the head's input and logits: as many rows as fit
  // into the same memory, and a few in any case.
  const auto head_bytes = [&](int rows) -> uint64_t {
    return floats(static_cast<size_t>(rows) * vocab()) +
           ProductInput::ScratchBytes(rows, model_dim());
  };
  logit_rows_ = std::min(kLogitRows, batch_tokens());
  while (logit_rows_ > kLeastLogitRows &&
         head_bytes(logit_rows_) > layer_bytes) {
    --logit_rows_;
  }
  layer_bytes = std::max(layer_bytes, head_bytes(logit_rows_));
  // The residual stream, and the normalised input that outputs replace.
  return 2 * floats(batch_tokens() * row) + layer_bytes;
}

}  // namespace fastweights
