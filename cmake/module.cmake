# SPDX-License-Identifier: MIT
#
# fastweights-<build>.mjs and .wasm: an ES module whose default export makes an instance. It finds
# the .wasm beside itself, or as locateFile, wasmBinary or instantiateWasm say, and needs no eval, so
# that a strict Content-Security-Policy lets it run. It knows nothing of Node, which bundlers for
# browsers could not resolve: web/node.ts lends what it lacks there.

add_library(bindings_flags INTERFACE)
target_link_libraries(bindings_flags INTERFACE fastweights_flags)
# embind without RTTI.
target_compile_definitions(bindings_flags INTERFACE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
compile_for_builds(bindings
  SOURCES ${bindings_sources}
  LIBRARIES bindings_flags
  HEADERS ${kHeaders} <emscripten/bind.h>)

add_custom_target(fastweights)
foreach(build IN LISTS builds)
  set(module fastweights-${build})
  add_executable(${module} ${bindings_${build}} ${core_${build}})
  add_dependencies(fastweights ${module})
  set_target_properties(${module} PROPERTIES SUFFIX .mjs)
  link_for_build(${module} ${build})
  set(exported HEAPU8,HEAP32,HEAPF32)
  if(build MATCHES "-threads$")
    # web/wasm/thread-workers.ts starts the workers that threads run in.
    string(APPEND exported ,PThread)
    set(library ${CMAKE_CURRENT_LIST_DIR}/threads.js)
    target_link_options(${module} PRIVATE "SHELL:--js-library ${library}")
    set_property(TARGET ${module} APPEND PROPERTY LINK_DEPENDS ${library})
  endif()
  target_link_options(${module} PRIVATE
    -O2 -lembind --no-entry
    -sMODULARIZE -sEXPORT_ES6 -sEXPORT_NAME=createFastweights -sENVIRONMENT=web,worker
    -sDYNAMIC_EXECUTION=0 -sFILESYSTEM=0 -sSUPPORT_LONGJMP=0
    -sINCOMING_MODULE_JS_API=instantiateWasm,locateFile,onAbort,print,printErr,wasmBinary
    -sEXPORTED_RUNTIME_METHODS=${exported} -sEXPORTED_FUNCTIONS=_malloc,_free
    # Memory grows by a fortieth at a time, or what is asked for: the peak is a promised figure, and to
    # grow by single pages took engines 40 ms each near 4 GB. A failed allocation is the caller's to
    # handle.
    -sINITIAL_MEMORY=4MB -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
    -sMEMORY_GROWTH_GEOMETRIC_STEP=0.025
    -sSTACK_SIZE=512KB -sABORTING_MALLOC=0)
endforeach()
