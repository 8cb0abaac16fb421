// SPDX-License-Identifier: MIT
#include "formats/block_linear.h"

#include <algorithm>

#include "base/check.h"
#include "formats/int8_product.h"

namespace fastweights {

size_t BlockLinear::ScratchBytes() const {
  const size_t groups = static_cast<size_t>(columns() / layout_.group);
  return AlignedBytes(static_cast<size_t>(kProductRows) * columns()) +
         2 * AlignedBytes(kProductRows * groups * sizeof(float));
}

void BlockLinear::Multiply(ProductInput& x, float* out, int out_stride) {
  DCHECK(x.columns() == columns());
  const QuantisedInput& input = x.Quantised();
  const ArenaScope scope(x.arena());
  const int groups = columns() / layout_.group;
  int8_t* codes = x.arena().Take<int8_t>(kProductRows * columns());
  float* scales = x.arena().Take<float>(kProductRows * groups);
  float* offsets =
      layout_.offsets ? x.arena().Take<float>(kProductRows * groups) : nullptr;
  for (int row = 0; row < rows(); row += kProductRows) {
    const int count = std::min(kProductRows, rows() - row);
    for (int r = 0; r < count; ++r) {
      layout_.unpack(store_.Row(row + r), columns(), codes + r * columns(),
                     scales + r * groups,
                     layout_.offsets ? offsets + r * groups : nullptr);
    }
    const UnpackedRows unpacked = {.rows = count,
                                   .columns = columns(),
                                   .group = layout_.group,
                                   .codes = codes,
                                   .scales = scales,
                                   .offsets = offsets};
    Int8Product(unpacked, x.tokens(), input, out + row, out_stride);
  }
}

}  // namespace fastweights
