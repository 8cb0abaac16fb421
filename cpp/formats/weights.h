// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/plan.h"
#include "base/result.h"
#include "formats/format.h"
#include "formats/matrix_form.h"

namespace fastweights {

// A small tensor kept as floats: norms, biases, convolution taps.
class Values final : public WeightSink {
 public:
  enum class Order { kStored, kTransposed };

  // The file holds [rows, columns]; transposed, data() is [columns, rows].
  Values(const Format& format, int rows, int columns, Order order)
      : format_(format), rows_(rows), columns_(columns), order_(order) {}

  const float* data() const { return values_.get(); }
  uint64_t bytes() const override {
    return sizeof(float) * static_cast<uint64_t>(rows_) * columns_;
  }
  bool AddPacked(PackedParts* parts) override;
  void FinishPacked() override { filled_ = rows_; }

 protected:
  bool Take(int rows, const uint8_t* bytes, Threads& threads) override;

 private:
  const Format& format_;
  int rows_;
  int columns_;
  Order order_;
  bool Reserve();

  int filled_ = 0;
  Buffer<float> values_;
};

// Several matrices of one shape that a file holds as one, below each other.
class MatrixStack final : public WeightSink {
 public:
  MatrixStack(const Format& format, std::vector<std::unique_ptr<Linear>> parts)
      : format_(format), parts_(std::move(parts)) {}

  Linear& operator[](size_t i) const { return *parts_[i]; }
  uint64_t bytes() const override {
    uint64_t sum = 0;
    for (const auto& part : parts_) sum += part->bytes();
    return sum;
  }
  bool AddPacked(PackedParts* parts) override;
  void FinishPacked() override;

 protected:
  bool Take(int rows, const uint8_t* bytes, Threads& threads) override;

 private:
  const Format& format_;
  std::vector<std::unique_ptr<Linear>> parts_;
  int filled_ = 0;
};

// Hands out the places for a file's tensors while a model is put together, and
// checks each against the file's table. The first mistake is kept in error();
// after one, what is handed out is null and must not be used.
class Weights {
 public:
  explicit Weights(const TensorTable& table,
                   MatrixForm form = MatrixForm::kStored)
      : table_(table), form_(form) {}

  // A matrix to multiply with, stored as [rows, columns]; in memory as the form
  // of matrices says.
  std::unique_ptr<Linear> Matrix(const std::string& name, int rows,
                                 int columns);
  // `count` matrices of [rows, columns], stored as [count * rows, columns].
  std::unique_ptr<MatrixStack> Stack(const std::string& name, int count,
                                     int rows, int columns);
  // A matrix of which only single rows are read; quantised like the others, but
  // for kQc8.
  std::unique_ptr<RowStore> Rows(const std::string& name, int rows,
                                 int columns);
  // A vector [count], whatever its dimensions in the file.
  std::unique_ptr<Values> Vector(const std::string& name, int count);
  // A small matrix kept as it is stored, [rows, columns].
  std::unique_ptr<Values> Table(const std::string& name, int rows, int columns);
  // A small matrix stored as [rows, columns], kept as [columns, rows].
  std::unique_ptr<Values> Transposed(const std::string& name, int rows,
                                     int columns);

  // The most scratch that a product with one of the matrices takes of each
  // thread.
  size_t thread_scratch_bytes() const { return thread_scratch_bytes_; }

  const std::optional<Error>& error() const { return error_; }

  // Where each tensor that was asked for goes; usually one place.
  using Sinks = std::map<std::string, std::vector<WeightSink*>>;
  const Sinks& sinks() const { return sinks_; }

 private:
  // The tensor's format; null, with the error kept, if it is not there, has
  // another shape or a type that nothing implements.
  const Format* Check(const std::string& name, int rows, int columns);
  // A matrix of that format, without a place for a tensor.
  std::unique_ptr<Linear> Make(const Format& format, const std::string& name,
                               int rows, int columns);
  template <typename Sink>
  std::unique_ptr<Sink> Add(const std::string& name,
                            std::unique_ptr<Sink> sink) {
    sinks_[name].push_back(sink.get());
    return sink;
  }
  // The same for a sink that takes rows of another format than the file's.
  template <typename Sink>
  std::unique_ptr<Sink> Add(const std::string& name, const Format& stored,
                            const Format& in_memory, int rows, int columns,
                            std::unique_ptr<Sink> sink) {
    if (&stored == &in_memory) return Add(name, std::move(sink));
    converters_.push_back(std::make_unique<RowConverter>(stored, in_memory,
                                                         rows, columns, *sink));
    sinks_[name].push_back(converters_.back().get());
    return sink;
  }

  const TensorTable& table_;
  MatrixForm form_;
  std::optional<Error> error_;
  size_t thread_scratch_bytes_ = 0;
  Sinks sinks_;
  std::vector<std::unique_ptr<RowConverter>> converters_;  // among the sinks
};

}  // namespace fastweights
