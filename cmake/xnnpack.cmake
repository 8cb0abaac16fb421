# SPDX-License-Identifier: MIT
#
# The static libraries `xnnpack-simd128`, `xnnpack-relaxed` or `xnnpack-native`: XNNPACK of 2024-11-08
# (commit 4ea82e5), trimmed to the micro-kernels that cpp/formats/xnnpack.cc calls, by the table in
# xnnpack/kernels.c, and the packing of weights for them, which is the same in all.

# Where tools/setup/xnnpack-sources.mjs leaves them.
if(DEFINED ENV{XNNPACK_SOURCE_DIR})
  set(default "$ENV{XNNPACK_SOURCE_DIR}")
elseif(DEFINED ENV{FASTWEIGHTS_CACHE})
  set(default "$ENV{FASTWEIGHTS_CACHE}/xnnpack-sources")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(default "$ENV{XDG_CACHE_HOME}/fastweights/xnnpack-sources")
else()
  set(default "$ENV{HOME}/.cache/fastweights/xnnpack-sources")
endif()
set(XNNPACK_SOURCE_DIR "${default}" CACHE PATH
    "Folder that holds xnnpack, pthreadpool, fp16 and fxdiv, each unpacked under its own name")
if(NOT EXISTS "${XNNPACK_SOURCE_DIR}/xnnpack/include/xnnpack.h")
  message(FATAL_ERROR "No XNNPACK in XNNPACK_SOURCE_DIR '${XNNPACK_SOURCE_DIR}'. `npm start` fetches "
                      "it; elsewhere, point XNNPACK_SOURCE_DIR at a folder that holds xnnpack "
                      "(commit 4ea82e5), pthreadpool, fp16 and fxdiv.")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/pthreadpool.cmake)
add_library(xnnpack_headers INTERFACE)
target_link_libraries(xnnpack_headers INTERFACE pthreadpool_headers)
target_include_directories(xnnpack_headers SYSTEM INTERFACE
  ${XNNPACK_SOURCE_DIR}/xnnpack/include ${XNNPACK_SOURCE_DIR}/xnnpack/src)
# Processors and features that are not compiled.
set(off
  ARM_BF16 ARM_DOTPROD ARM_FP16_SCALAR ARM_FP16_VECTOR ARM_I8MM ARM_SME ARM_SME2 ASSEMBLY
  AVX256SKX AVX256VNNI AVX256VNNIGFNI AVX512AMX AVX512F AVX512FP16 AVX512SKX AVX512VBMI
  AVX512VNNI AVX512VNNIGFNI AVXVNNI AVXVNNIINT8 CPUINFO DWCONV_MULTIPASS GEMM_M_SPECIALIZATION
  HVX JIT KLEIDIAI MEMOPT RISCV_VECTOR SPARSE VSX)
list(TRANSFORM off REPLACE "(.+)" "XNN_ENABLE_\\1=0")
target_compile_definitions(xnnpack_headers INTERFACE ${off} XNN_LOG_LEVEL=0)

function(add_xnnpack library)
  list(TRANSFORM ARGN REPLACE "^([^/].*)$" "${XNNPACK_SOURCE_DIR}/xnnpack/src/\\1" OUTPUT_VARIABLE sources)
  add_library(${library} STATIC ${sources})
  target_link_libraries(${library} PUBLIC xnnpack_headers)
  target_include_directories(${library} SYSTEM PRIVATE
    ${XNNPACK_SOURCE_DIR}/fp16/include ${XNNPACK_SOURCE_DIR}/fxdiv/include)
  target_compile_definitions(${library} PRIVATE FXDIV_USE_INLINE_ASSEMBLY=0 _GNU_SOURCE)
  set_target_properties(${library} PROPERTIES C_STANDARD 99 CXX_STANDARD 17)
  # XNNPACK's math.h calls rint without the C library's where conversions do not trap.
  target_compile_options(${library} PRIVATE -w -O2 -ffunction-sections -fdata-sections -fno-math-errno
                                            $<$<COMPILE_LANGUAGE:C>:SHELL:-include math.h>)
  compile_as_named(${library})
endfunction()

set(table ${CMAKE_CURRENT_LIST_DIR}/xnnpack/kernels.c)
set(f32 f32-gemm/gen/f32-gemm)
set(qc8 qd8-f32-qc8w-gemm/gen/qd8-f32-qc8w-gemm)
add_xnnpack(xnnpack_packing microparams-init.c reference/packing.cc)
if(EMSCRIPTEN)
  set(all configs/hardware-config.c
    ${qc8}-1x4c2s4-minmax-wasmsimd-dot16x2-ld128.c
    ${qc8}-4x4c2s4-minmax-wasmsimd-dot16x2-ld128.c)
  add_xnnpack(xnnpack-simd128 ${table} ${all}
    ${f32}-1x8-wasmsimd-loadsplat.c
    ${f32}-1x8-wasmsimd-splat.c
    ${f32}-4x8-wasmsimd-loadsplat.c
    ${f32}-5x8-wasmsimd-splat.c)
  add_xnnpack(xnnpack-relaxed ${table} ${all}
    ${f32}-1x8-wasmrelaxedsimd-fma-loadsplat.c
    ${f32}-1x8-wasmrelaxedsimd-fma-splat.c
    ${f32}-4x8-wasmrelaxedsimd-fma-loadsplat.c
    ${f32}-6x8-wasmrelaxedsimd-fma-splat.c
    ${qc8}-1x8c8-minmax-wasmsdot.c
    ${qc8}-2x8c8-minmax-wasmsdot.c
    ${qc8}-1x8c8-minmax-wasmsdot-u2.c
    ${qc8}-4x8c8-minmax-wasmsdot-u2.c
    ${qc8}-1x8c8-minmax-wasmusdot-u2.c
    ${qc8}-4x8c8-minmax-wasmusdot-u2.c)
else()
  add_xnnpack(xnnpack-native ${table}
    ${f32}-1x4-scalar.c
    ${f32}-4x4-scalar.c
    ${qc8}-1x4-minmax-scalar.c
    ${qc8}-4x4-minmax-scalar.c)
  if(APPLE)
    target_link_options(xnnpack-native INTERFACE -Wl,-dead_strip)
  else()
    target_link_options(xnnpack-native INTERFACE -Wl,--gc-sections)
  endif()
endif()
