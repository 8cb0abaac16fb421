// SPDX-License-Identifier: MIT
#include "formats/xnnpack.h"

#include <xnnpack.h>
// The definition of xnn_operator: the public interface fixes the strides and
// packs the weights in one call, so that strides that change from call to call
// would need the weights once for each.
#include <xnnpack/operator.h>

#include <limits>
#include <new>

#include "base/check.h"

namespace fastweights {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

size_t RoundUp(size_t n, size_t step) { return (n + step - 1) / step * step; }

}  // namespace

void XnnpackGemm::Delete::operator()(xnn_operator* gemm) const {
  xnn_delete_operator(gemm);
}

std::unique_ptr<XnnpackGemm> XnnpackGemm::Create(int rows, int columns,
                                                 const float* weights) {
  DCHECK(rows > 0 && columns > 0);
  CHECK(xnn_initialize(/*allocator=*/nullptr) == xnn_status_success);
  xnn_operator_t created = nullptr;
  const xnn_status status = xnn_create_fully_connected_nc_f32(
      columns, rows, /*input_stride=*/columns, /*output_stride=*/rows, weights,
      /*bias=*/nullptr, -kInfinity, kInfinity, /*flags=*/0,
      /*code_cache=*/nullptr, /*weights_cache=*/nullptr, &created);
  if (status == xnn_status_out_of_memory) return nullptr;
  CHECK(status == xnn_status_success);
  return std::unique_ptr<XnnpackGemm>(
      new (std::nothrow) XnnpackGemm(rows, columns, Operator(created)));
}

XnnpackGemm::XnnpackGemm(int rows, int columns, Operator gemm)
    : rows_(rows), columns_(columns), operator_(std::move(gemm)) {
  const size_t padded_rows = RoundUp(rows, operator_->ukernel.gemm.nr);
  bytes_ = RoundUp(padded_rows * operator_->weights_stride,
                   XNN_ALLOCATION_ALIGNMENT);
}

void XnnpackGemm::Run(int tokens, const float* x, int x_stride, float* out,
                      int out_stride) {
  DCHECK(tokens >= 0 && x_stride >= columns_ && out_stride >= rows_);
  operator_->input_pixel_stride = x_stride;
  operator_->output_pixel_stride = out_stride;
  CHECK(xnn_reshape_fully_connected_nc_f32(operator_.get(), tokens,
                                           /*threadpool=*/nullptr) ==
        xnn_status_success);
  CHECK(xnn_setup_fully_connected_nc_f32(operator_.get(), x, out) ==
        xnn_status_success);
  CHECK(xnn_run_operator(operator_.get(), /*threadpool=*/nullptr) ==
        xnn_status_success);
}

}  // namespace fastweights
