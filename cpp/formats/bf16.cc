// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"
#include "formats/dense_weights.h"

namespace fastweights {

const Format kBf16Format = DenseFormat<Bfloat>(30, "BF16");

}  // namespace fastweights
