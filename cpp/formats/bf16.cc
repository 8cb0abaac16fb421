// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"
#include "formats/half.h"

namespace fastweights {
namespace {

// The upper half of a float.
void Dequantise(const uint8_t* bytes, int count, float* out) {
  for (int i = 0; i < count; ++i, bytes += 2) {
    const uint32_t upper = static_cast<uint32_t>(bytes[0] | bytes[1] << 8);
    out[i] = FloatFromBits(upper << 16);
  }
}

}  // namespace

const Format kBf16Format = {
    .type = 30,
    .name = "BF16",
    .block = 1,
    .block_bytes = 2,
    .dequantise = Dequantise,
    .make_linear = MakeDenseLinear,
};

}  // namespace fastweights
