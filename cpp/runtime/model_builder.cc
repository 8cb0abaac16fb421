// SPDX-License-Identifier: MIT
#include "runtime/model_builder.h"

#include <algorithm>

#include "architectures/architecture.h"
#include "base/check.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

// Real models need a few megabytes of scratch and at most some hundred of
// state: beyond these a header is damaged or hostile.
constexpr uint64_t kScratchAllowance = 48 << 20;
constexpr uint64_t kMostStateFloats = 256 << 20;

// Of the program: its data, its stack, the tables of a model.
constexpr uint64_t kRuntimeBytes = 8 << 20;

std::string Megabytes(uint64_t bytes) {
  return std::to_string(bytes / 1'000'000) + " MB";
}

Error OutOfMemory(const char* what) {
  return {"out_of_memory", "", std::string("not enough memory for ") + what};
}

}  // namespace

void ModelBuilder::AddTensor(TensorShape shape) {
  table_[shape.name] = shape;
  tensors_.push_back(std::move(shape));
}

std::optional<Error> ModelBuilder::Plan() {
  Result<ModelPlan> plan = MakePlan(config_, table_);
  if (!plan.ok()) return plan.error();
  weights_ = std::make_unique<Weights>(table_, options_.weights);
  Result<std::unique_ptr<Model>> model =
      Model::Make(plan.value(), options_, *weights_);
  if (!model.ok()) return model.error();
  model_ = std::move(model.value());
  if (model_->scratch_bytes() > weights_bytes() + kScratchAllowance ||
      model_->state_floats() + model_->page_floats() > kMostStateFloats) {
    return Error{"invalid_metadata", "",
                 "the model's sizes ask for memory out of all proportion to "
                 "its weights"};
  }
  for (const TensorShape& tensor : tensors_) {
    const auto found = weights_->sinks().find(tensor.name);
    const bool wanted = found != weights_->sinks().end();
    sinks_.push_back(wanted ? &found->second : nullptr);
    rows_left_.push_back(wanted ? tensor.rows : 0);
    if (wanted && tensor.rows == 0) {
      return Error{"shape_mismatch", tensor.name,
                   "tensor '" + tensor.name + "' has no rows"};
    }
    if (wanted &&
        RowBytes(static_cast<int>(sinks_.size()) - 1) > kStagingBytes) {
      return Error{"shape_mismatch", tensor.name,
                   "tensor '" + tensor.name + "' has rows that are too long"};
    }
  }
  return std::nullopt;
}

uint64_t ModelBuilder::weights_bytes() const {
  uint64_t bytes = 0;
  for (const auto& [name, sinks] : weights_->sinks()) {
    for (const WeightSink* sink : sinks) bytes += sink->bytes();
  }
  return bytes;
}

size_t ModelBuilder::state_bytes() const {
  return Session::StateBytes(*model_);
}

size_t ModelBuilder::RowBytes(int index) const {
  const TensorShape& tensor = tensors_[index];
  return FindFormat(tensor.type)->RowBytes(tensor.columns);
}

std::optional<Error> ModelBuilder::Reserve() {
  const uint64_t bytes = weights_bytes() + scratch_bytes() + state_bytes() +
                         kv_page_bytes() + kStagingBytes + kRuntimeBytes;
  if (bytes > options_.memory_bytes) {
    return Error{"out_of_memory", "",
                 "the model takes " + Megabytes(bytes) +
                     " with one text, more than the " +
                     Megabytes(options_.memory_bytes) + " that there can be"};
  }
  staging_ = MakeBuffer<uint8_t>(kStagingBytes);
  if (!staging_) return OutOfMemory("the staging buffer");
  if (!model_->Reserve()) return OutOfMemory("scratch");
  return std::nullopt;
}

std::optional<Error> ModelBuilder::Append(int index, int rows) {
  CHECK(rows >= 0 && rows <= rows_left_[index] &&
        RowBytes(index) * static_cast<size_t>(rows) <= kStagingBytes);
  const TensorShape& tensor = tensors_[index];
  const size_t count = static_cast<size_t>(rows) * tensor.columns;
  if (!FindFormat(tensor.type)->are_finite(staging_.get(), count)) {
    return Error{
        "not_finite", tensor.name,
        "tensor '" + tensor.name + "' holds weights that are NaN or infinite"};
  }
  for (WeightSink* sink : *sinks_[index]) {
    if (!sink->Append(rows, staging_.get(), threads()))
      return OutOfMemory("weights");
  }
  rows_left_[index] -= rows;
  return std::nullopt;
}

std::optional<Error> ModelBuilder::MakePacked() {
  packed_.clear();
  for (const auto& [name, sinks] : weights_->sinks()) {
    for (WeightSink* sink : sinks) {
      if (!sink->AddPacked(&packed_)) return OutOfMemory("weights");
    }
  }
  fresh_.Take(packed_);
  return std::nullopt;
}

void ModelBuilder::FinishPacked() {
  for (const auto& [name, sinks] : weights_->sinks()) {
    for (WeightSink* sink : sinks) sink->FinishPacked();
  }
  std::fill(rows_left_.begin(), rows_left_.end(), 0);
}

Result<std::shared_ptr<Model>> ModelBuilder::Finish() {
  staging_.reset();
  for (size_t i = 0; i < rows_left_.size(); ++i) {
    if (rows_left_[i] != 0) {
      return Error{"truncated", tensors_[i].name,
                   "tensor '" + tensors_[i].name + "' is incomplete"};
    }
  }
  return std::shared_ptr<Model>(std::move(model_));
}

}  // namespace fastweights
