// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "formats/format.h"

namespace fastweights {

// How matrices lie in memory: as the file has them; those of more bits a weight
// quantised to a type while they load; or all in int8 with one scale a row
// (qc8_linear.h).
enum class MatrixForm { kStored, kQ8_0, kQ4_0, kQ4_K, kQc8 };

// The formats that a form may have beside those of the file, the first the one
// that it is called by.
std::span<const Format* const> FormatsOf(MatrixForm form);

// The format in memory of the matrix `name` with rows of `columns`: the form's,
// unless the file's has no more bits a weight. Rows that are no whole number of
// the form's blocks take the next of its formats (Q5_0 for Q4_K, as in
// llama.cpp's files), and stay as they are if that does not fit either. So do
// the low-rank matrices of RWKV's gates, which are small.
const Format& FormatInMemory(const Format& stored, MatrixForm form,
                             const std::string& name, int columns);

// Rows of one format on their way to where they lie in another.
class RowConverter final : public WeightSink {
 public:
  // `sink` takes `rows` rows of `columns` in `to`, and outlives this.
  RowConverter(const Format& from, const Format& to, int rows, int columns,
               WeightSink& sink)
      : from_(from),
        to_(to),
        rows_left_(rows),
        columns_(columns),
        sink_(sink) {}

  uint64_t bytes() const override { return sink_.bytes(); }
  bool AddPacked(PackedParts* parts) override { return sink_.AddPacked(parts); }
  void FinishPacked() override { sink_.FinishPacked(); }

 protected:
  bool Take(int rows, const uint8_t* bytes, Threads& threads) override;

 private:
  const Format& from_;
  const Format& to_;
  int rows_left_;
  int columns_;
  WeightSink& sink_;
  int threads_ = 0;
  Buffer<float> values_;   // [threads, columns], of a row each
  Buffer<uint8_t> bytes_;  // rows in `to`, as many as are passed on at once
};

}  // namespace fastweights
