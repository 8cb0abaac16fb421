// SPDX-License-Identifier: MIT
//
// One wasm file of XNNPACK includes it, and uses WebAssembly's own intrinsics only.
#pragma once

#include <wasm_simd128.h>
