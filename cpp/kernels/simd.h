// SPDX-License-Identifier: MIT
#pragma once

// The only way to SIMD intrinsics: vectors and int8 dot products over
// WebAssembly SIMD128 (and relaxed SIMD where the build has it), with portable
// twins that native builds and sanitizers run.

#include "kernels/simd/vectors.h"

#ifdef __wasm_simd128__
#include "kernels/simd/wasm_factor_dots.h"
#include "kernels/simd/wasm_weight_dots.h"
#else
#include "kernels/simd/portable_factor_dots.h"
#include "kernels/simd/portable_weight_dots.h"
#endif
