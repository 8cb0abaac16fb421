// SPDX-License-Identifier: MIT
#include "formats/xnnpack.h"

// The table of micro-kernels, not the public interface: an operator holds
// weights of its own, allocates when a batch changes and serves one thread.
#include <xnnpack.h>
#include <xnnpack/config.h>

#include <algorithm>

#include "base/check.h"

namespace fastweights {

void Gemm(int tokens, int rows, int columns, const float* x, int x_stride,
          const float* tiles, float* out, int out_stride) {
  DCHECK(rows > 0 && columns > 0 && x_stride >= columns && out_stride >= rows);
  const xnn_gemm_config* config = xnn_init_f32_gemm_config();
  DCHECK(config->nr == kGemmRows);
  const int most = config->mr;
  for (int t = 0; t < tokens; t += most) {
    const int count = std::min(most, tokens - t);
    config->linear.gemm[count == 1 ? 0 : most - 1].function[XNN_UARCH_DEFAULT](
        count, rows, columns * sizeof(float),
        x + static_cast<size_t>(t) * x_stride, x_stride * sizeof(float), tiles,
        out + static_cast<size_t>(t) * out_stride, out_stride * sizeof(float),
        kGemmRows * sizeof(float), /*params=*/nullptr);
  }
}

}  // namespace fastweights
