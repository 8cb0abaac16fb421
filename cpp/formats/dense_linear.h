// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "formats/format.h"
#include "formats/xnnpack.h"

namespace fastweights {

// A matrix of F32, F16 or BF16 weights, widened to float and multiplied by
// XNNPACK. It is cut into panels of rows that are packed as they arrive, so
// that loading needs one panel of memory beyond the packed weights.
class DenseLinear final : public Linear {
 public:
  DenseLinear(const Format& format, int rows, int columns);

  size_t bytes() const override;
  bool Append(int rows, const uint8_t* bytes) override;

 protected:
  void Product(ProductInput& x, float* out, int out_stride) override;

 private:
  const Format& format_;
  int panel_rows_;
  int filled_ = 0;         // rows taken so far
  Buffer<float> pending_;  // [panel_rows, columns], the panel being filled
  std::vector<std::unique_ptr<XnnpackGemm>> panels_;
};

std::unique_ptr<Linear> MakeDenseLinear(const Format& format, int rows,
                                        int columns);

}  // namespace fastweights
