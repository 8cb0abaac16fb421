# SPDX-License-Identifier: MIT
#
# fastweights_bench-<build>.mjs and .wasm: tests/bench/*.cc, plain C functions that tools/bench times.

file(GLOB bench_sources CONFIGURE_DEPENDS tests/bench/*.cc)
add_library(fastweights_bench_flags INTERFACE)
target_link_libraries(fastweights_bench_flags INTERFACE fastweights_flags)
target_include_directories(fastweights_bench_flags INTERFACE tests)
compile_for_builds(bench SOURCES ${bench_sources} LIBRARIES fastweights_bench_flags)
foreach(build IN ITEMS simd128 relaxed)
  set(module fastweights_bench-${build})
  add_executable(${module} EXCLUDE_FROM_ALL ${bench_${build}} ${core_${build}})
  set_target_properties(${module} PROPERTIES SUFFIX .mjs)
  link_for_build(${module} ${build})
  target_link_options(${module} PRIVATE
    -O2 --no-entry -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker,node -sFILESYSTEM=0
    -sEXPORTED_RUNTIME_METHODS=HEAPU8
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=512KB)
endforeach()
