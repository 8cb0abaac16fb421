# SPDX-License-Identifier: MIT
#
# fastweights.mjs and fastweights.wasm: an ES module whose default export makes an instance. It
# finds the .wasm beside itself, or as locateFile, wasmBinary or instantiateWasm say, and needs no
# eval, so that a strict Content-Security-Policy lets it run. It knows nothing of Node, which bundlers
# for browsers could not resolve: web/node.ts lends what it lacks there.

add_executable(fastweights ${bindings_sources})
set_target_properties(fastweights PROPERTIES SUFFIX .mjs)
target_link_libraries(fastweights PRIVATE fastweights_core)
# embind without RTTI.
target_compile_definitions(fastweights PRIVATE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
target_link_options(fastweights PRIVATE
  -O3 -lembind --no-entry
  -sMODULARIZE -sEXPORT_ES6 -sEXPORT_NAME=createFastweights -sENVIRONMENT=web,worker
  -sDYNAMIC_EXECUTION=0 -sFILESYSTEM=0 -sSUPPORT_LONGJMP=0
  -sINCOMING_MODULE_JS_API=instantiateWasm,locateFile,onAbort,print,printErr,wasmBinary
  -sEXPORTED_RUNTIME_METHODS=HEAPU8,HEAP32,HEAPF32 -sEXPORTED_FUNCTIONS=_malloc,_free
  # Memory grows by what is asked for and no more: the peak is a promised figure. A failed
  # allocation is the caller's to handle.
  -sINITIAL_MEMORY=4MB -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sMEMORY_GROWTH_GEOMETRIC_STEP=0
  -sSTACK_SIZE=512KB -sABORTING_MALLOC=0)
if(FASTWEIGHTS_THREADS)
  # web/wasm/thread-workers.ts starts the workers that threads run in.
  target_link_options(fastweights PRIVATE
    -sEXPORTED_RUNTIME_METHODS=HEAPU8,HEAP32,HEAPF32,PThread
    "SHELL:--js-library ${CMAKE_CURRENT_LIST_DIR}/threads.js")
  set_property(TARGET fastweights APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/threads.js)
endif()
