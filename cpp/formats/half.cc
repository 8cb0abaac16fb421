// SPDX-License-Identifier: MIT
#include "formats/half.h"

namespace fastweights {

const uint32_t kHalfConstants[3] = {0x7fff, 112 << 23, 113 << 23};

}  // namespace fastweights
