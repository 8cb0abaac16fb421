// SPDX-License-Identifier: MIT
#include "formats/dense_linear.h"
#include "formats/dense_weights.h"

namespace fastweights {

const Format kF32Format = DenseFormat<Single>(0, "F32");

}  // namespace fastweights
