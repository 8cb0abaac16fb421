// SPDX-License-Identifier: MIT
#include "formats/weights.h"

#include <algorithm>

#include "base/check.h"
#include "formats/qc8_linear.h"

namespace fastweights {
namespace {

std::string Shape(int columns, int rows) {
  return "[" + std::to_string(columns) + ", " + std::to_string(rows) + "]";
}

// "blk.3.ffn_gate.weight" -> "ffn_gate".
std::string WithoutLayer(const std::string& name) {
  const size_t end = name.rfind('.');
  if (end == std::string::npos || end == 0) return name;
  const size_t dot = name.rfind('.', end - 1);
  const size_t start = dot == std::string::npos ? 0 : dot + 1;
  return name.substr(start, end - start);
}

}  // namespace

bool Values::Reserve() {
  if (!values_) {
    values_ = MakeBuffer<float>(static_cast<size_t>(rows_) * columns_);
  }
  return values_ != nullptr;
}

bool Values::AddPacked(PackedParts* parts) {
  if (!Reserve()) return false;
  parts->emplace_back(reinterpret_cast<uint8_t*>(values_.get()),
                      static_cast<size_t>(bytes()));
  return true;
}

bool Values::Take(int rows, const uint8_t* bytes, Threads&) {
  CHECK(rows <= rows_ - filled_);
  if (!Reserve()) return false;
  std::vector<float> row(columns_);
  for (int r = 0; r < rows; ++r, bytes += format_.RowBytes(columns_)) {
    format_.dequantise(bytes, columns_, row.data());
    for (int c = 0; c < columns_; ++c) {
      values_[order_ == Order::kStored ? filled_ * columns_ + c
                                       : c * rows_ + filled_] = row[c];
    }
    ++filled_;
  }
  return true;
}

bool MatrixStack::Take(int rows, const uint8_t* bytes, Threads& threads) {
  while (rows > 0) {
    const size_t part = filled_ / parts_[0]->rows();
    CHECK(part < parts_.size());
    const int count = std::min(
        rows, static_cast<int>(part + 1) * parts_[0]->rows() - filled_);
    if (!parts_[part]->Append(count, bytes, threads)) return false;
    bytes += format_.RowBytes(parts_[0]->columns()) * count;
    filled_ += count;
    rows -= count;
  }
  return true;
}

bool MatrixStack::AddPacked(PackedParts* parts) {
  for (const auto& part : parts_) {
    if (!part->AddPacked(parts)) return false;
  }
  return true;
}

void MatrixStack::FinishPacked() {
  for (const auto& part : parts_) {
    part->FinishPacked();
    filled_ += part->rows();
  }
}

const Format* Weights::Check(const std::string& name, int rows, int columns) {
  const auto fail = [&](const char* code, std::string message) {
    if (!error_) error_ = Error{code, name, std::move(message)};
    return nullptr;
  };
  const auto found = table_.find(name);
  if (found == table_.end()) {
    return fail("missing_tensor", "the file has no tensor '" + name + "'");
  }
  const TensorShape& tensor = found->second;
  if (tensor.rows != rows || tensor.columns != columns) {
    return fail("shape_mismatch", "tensor '" + name + "' is " +
                                      Shape(tensor.columns, tensor.rows) +
                                      ", the model needs " +
                                      Shape(columns, rows));
  }
  const Format* format = FindFormat(tensor.type);
  if (format == nullptr) {
    return fail("unsupported_type", "tensor '" + name + "' has ggml type " +
                                        std::to_string(tensor.type) +
                                        ", which is not supported");
  }
  if (columns % format->block != 0) {
    return fail("shape_mismatch",
                "tensor '" + name + "' has rows of " + std::to_string(columns) +
                    ", not a multiple of " + format->name + "'s block of " +
                    std::to_string(format->block));
  }
  return error_ ? nullptr : format;
}

std::unique_ptr<Linear> Weights::Make(const Format& format,
                                      const std::string& name, int rows,
                                      int columns) {
  const bool is_qc8 = form_ == MatrixForm::kQc8;
  std::unique_ptr<Linear> linear =
      is_qc8 ? std::make_unique<Qc8Linear>(format, rows, columns)
             : format.make_linear(format, rows, columns);
  linear->SetName(WithoutLayer(name), is_qc8 ? "QC8" : format.name);
  thread_scratch_bytes_ =
      std::max(thread_scratch_bytes_, linear->ThreadScratchBytes());
  return linear;
}

std::unique_ptr<Linear> Weights::Matrix(const std::string& name, int rows,
                                        int columns) {
  const Format* format = Check(name, rows, columns);
  if (format == nullptr) return nullptr;
  const Format& kept = FormatInMemory(*format, form_, name, columns);
  return Add(name, *format, kept, rows, columns,
             Make(kept, name, rows, columns));
}

std::unique_ptr<MatrixStack> Weights::Stack(const std::string& name, int count,
                                            int rows, int columns) {
  const Format* format = Check(name, count * rows, columns);
  if (format == nullptr) return nullptr;
  const Format& kept = FormatInMemory(*format, form_, name, columns);
  std::vector<std::unique_ptr<Linear>> parts;
  for (int i = 0; i < count; ++i) {
    parts.push_back(Make(kept, name, rows, columns));
  }
  return Add(name, *format, kept, count * rows, columns,
             std::make_unique<MatrixStack>(kept, std::move(parts)));
}

std::unique_ptr<RowStore> Weights::Rows(const std::string& name, int rows,
                                        int columns) {
  const Format* format = Check(name, rows, columns);
  if (format == nullptr) return nullptr;
  const Format& kept = FormatInMemory(*format, form_, name, columns);
  return Add(name, *format, kept, rows, columns,
             std::make_unique<RowStore>(kept, rows, columns));
}

std::unique_ptr<Values> Weights::Vector(const std::string& name, int count) {
  // Files write a vector as [count], as [1, count] or by heads.
  const auto found = table_.find(name);
  const bool fits =
      found != table_.end() &&
      int64_t{found->second.rows} * found->second.columns == count;
  const int rows = fits ? found->second.rows : 1, columns = count / rows;
  return Table(name, rows, columns);
}

std::unique_ptr<Values> Weights::Table(const std::string& name, int rows,
                                       int columns) {
  const Format* format = Check(name, rows, columns);
  if (format == nullptr) return nullptr;
  return Add(name, std::make_unique<Values>(*format, rows, columns,
                                            Values::Order::kStored));
}

std::unique_ptr<Values> Weights::Transposed(const std::string& name, int rows,
                                            int columns) {
  const Format* format = Check(name, rows, columns);
  if (format == nullptr) return nullptr;
  return Add(name, std::make_unique<Values>(*format, rows, columns,
                                            Values::Order::kTransposed));
}

}  // namespace fastweights
