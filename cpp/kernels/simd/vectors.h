// SPDX-License-Identifier: MIT
#pragma once

// Vectors of 16 bytes: four floats or 32-bit numbers, eight of 16 bits, sixteen
// bytes. Comments name lanes from the lowest address up.

#ifdef FASTWEIGHTS_WITHOUT_SIMD
#error \
    "A source that is compiled once for all builds: kSimdMatters in builds.cmake lacks it"
#endif

#ifdef __wasm_simd128__
#include "kernels/simd/wasm_vectors.h"
#else
#include "kernels/simd/portable_vectors.h"
#endif
