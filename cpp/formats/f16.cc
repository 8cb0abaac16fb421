// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"
#include "formats/dense_weights.h"

namespace fastweights {

const Format kF16Format = DenseFormat<Half>(1, "F16");

}  // namespace fastweights
