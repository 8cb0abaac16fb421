// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

struct xnn_operator;

namespace fastweights {

// One dense panel: out[tokens, rows] = x[tokens, columns] W^T, in float32, by
// XNNPACK, single-threaded. An object serves one thread at a time.
class XnnpackGemm {
 public:
  // `weights` is [rows, columns], row-major; it is copied into the kernels'
  // layout and may be freed after. nullptr: out of memory.
  static std::unique_ptr<XnnpackGemm> Create(int rows, int columns,
                                             const float* weights);

  // Rows of x are x_stride >= columns floats apart, rows of out
  // out_stride >= rows. Does not allocate.
  void Run(int tokens, const float* x, int x_stride, float* out,
           int out_stride);

  // Memory held by the packed weights.
  size_t bytes() const { return bytes_; }

 private:
  struct Delete {
    void operator()(xnn_operator* gemm) const;
  };
  using Operator = std::unique_ptr<xnn_operator, Delete>;

  XnnpackGemm(int rows, int columns, Operator gemm);

  [[maybe_unused]] int rows_;  // read by a DCHECK
  [[maybe_unused]] int columns_;
  Operator operator_;
  size_t bytes_;
};

}  // namespace fastweights
