# SPDX-License-Identifier: MIT
#
# fastweights_bench.mjs and .wasm: tests/bench/*.cc, plain C functions that tools/bench times.

file(GLOB bench_sources CONFIGURE_DEPENDS tests/bench/*.cc)
add_executable(fastweights_bench ${bench_sources})
set_target_properties(fastweights_bench PROPERTIES SUFFIX .mjs)
target_include_directories(fastweights_bench PRIVATE tests)
target_link_libraries(fastweights_bench PRIVATE fastweights_core)
target_link_options(fastweights_bench PRIVATE
  -O3 --no-entry -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker,node -sFILESYSTEM=0
  -sEXPORTED_RUNTIME_METHODS=HEAPU8
  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=512KB)
