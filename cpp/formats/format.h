// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/threads.h"
#include "formats/product_input.h"
#include "formats/products.h"
#include "formats/tile_layout.h"

namespace fastweights {

// Weights as they lie in memory, in as many parts as they do.
using PackedParts = std::vector<std::span<uint8_t>>;

// Where the bytes of a stored tensor go as they arrive.
class WeightSink {
 public:
  virtual ~WeightSink() = default;

  // Memory held once all rows are in.
  virtual uint64_t bytes() const = 0;

  // Takes the next `rows` rows in the file's layout, which threads share; the
  // bytes may be reused after. False: out of memory.
  bool Append(int rows, const uint8_t* bytes, Threads& threads) {
    return Take(rows, bytes, threads);
  }
  bool Append(int rows, const uint8_t* bytes) {
    Threads alone;
    return Take(rows, bytes, alone);
  }

  // Or all rows at once, as they lay in memory where PackedLayout() was the
  // same: adds bytes() of memory to what is written for that, which appended
  // rows fill, too. False: out of memory.
  virtual bool AddPacked(PackedParts* parts) = 0;
  // Says that all of it has been written.
  virtual void FinishPacked() = 0;

 protected:
  virtual bool Take(int rows, const uint8_t* bytes, Threads& threads) = 0;
};

// A weight matrix W [rows, columns] that multiplies from the right.
class Linear : public WeightSink {
 public:
  Linear(int rows, int columns) : rows_(rows), columns_(columns) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }

  // What a profile calls the matrix.
  void SetName(std::string name, const char* format) {
    name_ = std::move(name);
    format_name_ = format;
  }

  ProfilePart ProfiledAs(int rows) const {
    return {"product", name_.c_str(), format_name_, rows, columns_};
  }

  // out [tokens, rows] = x [tokens, columns] W^T, rows of out `out_stride`
  // floats apart. Each thread takes at most
  // ThreadScratchBytes() of its arena; the input takes its own.
  void Multiply(ProductInput& x, float* out, int out_stride) {
    MultiplyFirst(rows_, x, out, out_stride);
  }
  // The same, to be made together with others.
  MatrixProduct To(float* out) { return {this, rows_, out, rows_}; }
  // The same with the first `rows` rows alone.
  void MultiplyFirst(int rows, ProductInput& x, float* out, int out_stride) {
    const MatrixProduct product = {this, rows, out, out_stride};
    MultiplyTogether({&product, 1}, x);
  }
  virtual size_t ThreadScratchBytes() const { return 0; }

  // Which form of an input it takes: columns that share a scale, kFloats or
  // kByToken.
  virtual int input_group() const = 0;
  // The product, for x that has been prepared for that, to be run while x and
  // what it takes of x's arena are there.
  virtual ProductParts Parts(const MatrixProduct& product,
                             ProductInput& x) const = 0;

  // One row [columns] as floats, for an embedding that is the head too.
  virtual void Gather(int row, float* out) const = 0;

 private:
  int rows_;
  int columns_;
  std::string name_;
  const char* format_name_ = "";
};

// How a type's blocks become tiles, and what multiplies those: the product is
// the type's own, with its layout known at compile time.
struct TileFormat {
  TileLayout layout;
  void (*unpack)(const uint8_t* block, BlockParts* parts);
  // As TileProduct in tile_product.h.
  ProductParts (*product)(int rows, const uint8_t* tiles, ProductInput& x,
                          float* out, int out_stride);
};

// How a ggml type is stored and multiplied. A row of n columns is n / block
// blocks of block_bytes each.
struct Format {
  int type;  // ggml type id
  const char* name;
  int block;
  int block_bytes;
  // `count` values from their bytes; count % block == 0.
  void (*dequantise)(const uint8_t* bytes, int count, float* out);
  // Whether none of them is NaN or infinite.
  bool (*are_finite)(const uint8_t* bytes, size_t count);
  // Their bytes; null for types that matrices are not quantised to.
  void (*quantise)(const float* values, int count, uint8_t* bytes) = nullptr;
  std::unique_ptr<Linear> (*make_linear)(const Format& format, int rows,
                                         int columns);
  // Of types of blocks; null for those of single weights.
  const TileFormat* tiles = nullptr;

  double BitsPerWeight() const { return 8.0 * block_bytes / block; }

  size_t RowBytes(int columns) const {
    return static_cast<size_t>(columns / block) * block_bytes;
  }
};

#define FORMAT(name) extern const Format k##name##Format;
#include "formats/formats.inc"
#undef FORMAT

// Null for a type that no file of this folder implements.
const Format* FindFormat(int type);

// Rows kept as they are in the file and read one at a time.
class RowStore final : public WeightSink {
 public:
  RowStore(const Format& format, int rows, int columns)
      : format_(format), rows_(rows), columns_(columns) {}

  uint64_t bytes() const override {
    return format_.RowBytes(columns_) * static_cast<uint64_t>(rows_);
  }
  void Gather(int row, float* out) const;
  bool AddPacked(PackedParts* parts) override;
  void FinishPacked() override { filled_ = rows_; }
  const uint8_t* Row(int row) const {
    return bytes_.get() + format_.RowBytes(columns_) * static_cast<size_t>(row);
  }

 protected:
  bool Take(int rows, const uint8_t* bytes, Threads& threads) override;

 private:
  bool Reserve();

  const Format& format_;
  int rows_;
  int columns_;
  int filled_ = 0;
  Buffer<uint8_t> bytes_;
};

}  // namespace fastweights
