// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/fresh_memory.h"
#include "base/plan.h"
#include "base/result.h"
#include "formats/weights.h"
#include "runtime/model.h"

namespace fastweights {

// Bytes of weights on their way into their formats.
inline constexpr size_t kStagingBytes = 4 << 20;

// Puts a model together from a file that TypeScript reads: metadata and tensor
// table first, then Plan(), then the bytes of each wanted tensor in order.
class ModelBuilder {
 public:
  explicit ModelBuilder(const ModelOptions& options = {}) : options_(options) {}

  Config& config() { return config_; }
  // Tensors are numbered in the order in which they are added.
  void AddTensor(TensorShape shape);

  // Checks everything that needs no weights. After it the figures below are
  // known; still nothing but the table is held.
  std::optional<Error> Plan();
  uint64_t weights_bytes() const;
  size_t state_bytes() const;  // of one session, constant part
  uint64_t kv_page_bytes() const {
    return model_->page_floats() * sizeof(float);
  }
  uint64_t scratch_bytes() const { return model_->scratch_bytes(); }
  const Model& model() const { return *model_; }

  // Whether the model reads tensor `index`.
  bool Wants(int index) const { return sinks_[index] != nullptr; }
  size_t RowBytes(int index) const;

  // Reserves scratch memory and the staging buffer. Refuses what the memory
  // cannot hold with one text, before anyone has sent a weight.
  std::optional<Error> Reserve();
  uint8_t* staging() { return staging_.get(); }
  // Takes the next `rows` whole rows of tensor `index` from staging().
  std::optional<Error> Append(int index, int rows);

  // Or in place of rows: where all weights lie, in an order that the file alone
  // decides, to be written and then finished. An error: out of memory.
  std::optional<Error> MakePacked();
  const PackedParts& packed() const { return packed_; }
  // Calls fill(), which writes to that memory from its beginning on, or goes on
  // with it; the other threads make what is behind theirs meanwhile.
  void FillPacked(const std::function<void()>& fill) {
    fresh_.Fill(threads(), fill);
  }
  void FinishPacked();
  Threads& threads() { return model_->workspace().threads(); }

  // After all rows of all wanted tensors; the builder is spent.
  Result<std::shared_ptr<Model>> Finish();

 private:
  ModelOptions options_;
  Config config_;
  std::vector<TensorShape> tensors_;
  TensorTable table_;
  std::unique_ptr<Weights> weights_;
  std::unique_ptr<Model> model_;
  std::vector<const std::vector<WeightSink*>*> sinks_;  // by tensor, or null
  std::vector<int> rows_left_;
  PackedParts packed_;
  FreshMemory fresh_;  // the same, as far as nobody has been there
  Buffer<uint8_t> staging_;
};

}  // namespace fastweights
