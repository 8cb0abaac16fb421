# SPDX-License-Identifier: MIT
#
# Headers of the C++ library, of embind and of GoogleTest, read once for all sources: Clang takes longer
# for them (0.9 of 1.4 s) than for what is ours. Every source still includes what it uses.

# Those that most sources include.
set(kHeaders <algorithm> <cmath> <map> <memory> <optional> <span> <string> <vector>)

# precompile_headers(library name headers...): the library's sources begin with the headers, which all
# libraries of `name` with the same flags share.
function(precompile_headers library name)
  set(choices headers_${name})
  if(library MATCHES "-relaxed")
    string(APPEND choices -relaxed)
  endif()
  if(library MATCHES "-threads$")
    string(APPEND choices -threads)
  endif()
  if(NOT TARGET ${choices})
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${choices}.dir)
    file(WRITE ${folder}/empty.cc "")
    add_library(${choices} OBJECT ${folder}/empty.cc)
    get_target_property(libraries ${library} LINK_LIBRARIES)
    target_link_libraries(${choices} PRIVATE ${libraries})
    compile_as_named(${choices})
    target_precompile_headers(${choices} PRIVATE ${ARGN})
    # It names its own folder, so that no other checkout can use it: ccache, which shares what is compiled
    # with it, is told what it is in a file of checksums (CCACHE_PCH_EXTSUM).
    set_target_properties(${choices} PROPERTIES C_COMPILER_LAUNCHER "" CXX_COMPILER_LAUNCHER "")
    file(WRITE ${folder}/cmake_pch.hxx.pch.sum "${ARGN}")
  endif()
  target_precompile_headers(${library} REUSE_FROM ${choices})
endfunction()
