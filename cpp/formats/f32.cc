// SPDX-License-Identifier: MIT
#include <cstring>

#include "formats/dense_linear.h"

namespace fastweights {
namespace {

void Dequantise(const uint8_t* bytes, int count, float* out) {
  std::memcpy(out, bytes, sizeof(float) * static_cast<size_t>(count));
}

}  // namespace

const Format kF32Format = {
    .type = 0,
    .name = "F32",
    .block = 1,
    .block_bytes = 4,
    .dequantise = Dequantise,
    .make_linear = MakeDenseLinear,
};

}  // namespace fastweights
