// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"

#include <algorithm>

#include "base/check.h"

namespace fastweights {
namespace {

constexpr int kPanelBytes = 4 << 20;
// A multiple of every row tile of XNNPACK's kernels, so that panels pack
// without padding.
constexpr int kPanelStep = 16;

int PanelRows(int columns) {
  const int rows = kPanelBytes / (static_cast<int>(sizeof(float)) * columns) /
                   kPanelStep * kPanelStep;
  return std::max(rows, kPanelStep);
}

}  // namespace

DenseLinear::DenseLinear(const Format& format, int rows, int columns)
    : Linear(rows, columns), format_(format), panel_rows_(PanelRows(columns)) {}

size_t DenseLinear::bytes() const {
  // Packed weights begin each row with its bias.
  return sizeof(float) * (static_cast<size_t>(columns()) + 1) *
         static_cast<size_t>((rows() + kPanelStep - 1) / kPanelStep *
                             kPanelStep);
}

bool DenseLinear::Append(int rows, const uint8_t* bytes) {
  CHECK(rows <= this->rows() - filled_);
  const size_t row_bytes = format_.RowBytes(columns());
  for (int row = 0; row < rows; ++row, bytes += row_bytes) {
    if (!pending_) {
      const int left = std::min(panel_rows_, this->rows() - filled_);
      pending_ = MakeBuffer<float>(static_cast<size_t>(left) * columns());
      if (!pending_) return false;
    }
    const int in_panel = filled_ % panel_rows_;
    format_.dequantise(
        bytes, columns(),
        pending_.get() + static_cast<size_t>(in_panel) * columns());
    ++filled_;
    if (in_panel + 1 == panel_rows_ || filled_ == this->rows()) {
      auto panel = XnnpackGemm::Create(in_panel + 1, columns(), pending_.get());
      if (!panel) return false;
      panels_.push_back(std::move(panel));
      pending_.reset();
    }
  }
  return true;
}

void DenseLinear::Product(ProductInput& x, float* out, int out_stride) {
  DCHECK(filled_ == rows() && x.columns() == columns());
  for (const auto& panel : panels_) {
    panel->Run(x.tokens(), x.values(), columns(), out, out_stride);
    out += panel_rows_;
  }
}

std::unique_ptr<Linear> MakeDenseLinear(const Format& format, int rows,
                                        int columns) {
  return std::make_unique<DenseLinear>(format, rows, columns);
}

}  // namespace fastweights
