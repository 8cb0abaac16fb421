// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

void Dequantise(const uint8_t* bytes, int count, float* out) {
  for (int i = 0; i < count; ++i) out[i] = LoadHalf(bytes + 2 * i);
}

}  // namespace

const Format kF16Format = {
    .type = 1,
    .name = "F16",
    .block = 1,
    .block_bytes = 2,
    .dequantise = Dequantise,
    .make_linear = MakeDenseLinear,
};

}  // namespace fastweights
