# SPDX-License-Identifier: MIT
#
# The builds of the core: one natively; four for the browser, with relaxed SIMD or without and with
# threads or without. Most sources give the same code in all four, and are compiled once.

if(EMSCRIPTEN)
  set(builds simd128 relaxed simd128-threads relaxed-threads)
  # Every engine with SIMD128 has the other three.
  add_compile_options(-msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext)
  add_link_options(-fno-exceptions -fno-rtti)
  # Headers take longer than code: without what libc++'s include for old programs' sake, a third less.
  add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_LIBCPP_REMOVE_TRANSITIVE_INCLUDES>)
else()
  set(builds native)
endif()

# The two choices that a build's name stands for.
foreach(build IN LISTS builds)
  string(REGEX MATCH "^[a-z0-9]+" simd_${build} ${build})
  set(threads_${build} one-thread)
  if(build MATCHES "-threads$|^native$")
    set(threads_${build} threads)
  endif()
endforeach()

# Sources that see kernels/simd.h, whose loops relaxed SIMD makes others. The rest is compiled with
# FASTWEIGHTS_WITHOUT_SIMD: simd.h refuses what is missing here. Definitions (naive.cc) do without it.
string(CONCAT kSimdMatters
  "/cpp/kernels/|/cpp/memory/rules/delta\\.cc|/cpp/runtime/sampler(_whole)?\\.cc"
  "|/cpp/formats/((b?f|q|iq|mxfp)[0-9].*|fit_scales|product_input|qc8_linear|tile_layout)\\.cc"
  "|/tests/kernels/(decay_gates|exp|simd)_test\\.cc|/tests/formats/(dense_linear|quantise)_test\\.cc|/tests/bench/")

# Sources with atomic operations, as the count of a shared_ptr is one, too: the linker refuses what is
# missing here ("--shared-memory is disallowed by" it). And those whose static variables begin at their
# first use, which no tool sees.
string(CONCAT kThreadsMatter
  "/cpp/base/fresh_memory\\.cc|/cpp/bindings/|/cpp/memory/(memory|rule)\\.cc|/cpp/runtime/(draft|session|trail)\\.cc"
  "|/tests/|/gtest-all\\.cc")

# Gives a library the flags of the choices in its name.
function(compile_as_named library)
  if(EMSCRIPTEN AND library MATCHES "-relaxed")
    target_compile_options(${library} PRIVATE -mrelaxed-simd)
  endif()
  if(EMSCRIPTEN AND library MATCHES "-threads$")
    target_compile_options(${library} PRIVATE -pthread)
  endif()
endfunction()

# compile_for_builds(name SOURCES sources... LIBRARIES libraries... [HEADERS headers...]): compiles the
# sources with the libraries' flags, and sets for each build `<name>_<build>` to the objects that it links.
# What the headers say is read once, not for every source.
function(compile_for_builds name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LIBRARIES;HEADERS")
  foreach(build IN LISTS builds)
    set(libraries "")
    foreach(source IN LISTS ARG_SOURCES)
      set(library ${name})
      if(EMSCRIPTEN AND source MATCHES "${kSimdMatters}" AND NOT source MATCHES "/naive\\.cc$")
        string(APPEND library -${simd_${build}})
      endif()
      if(EMSCRIPTEN AND source MATCHES "${kThreadsMatter}")
        string(APPEND library -${threads_${build}})
      endif()
      list(APPEND libraries ${library})
      list(APPEND sources_of_${library} ${source})
    endforeach()
    list(REMOVE_DUPLICATES libraries)
    set(objects "")
    foreach(library IN LISTS libraries)
      if(NOT TARGET ${library})
        add_library(${library} OBJECT ${sources_of_${library}})
        target_link_libraries(${library} PRIVATE ${ARG_LIBRARIES})
        compile_as_named(${library})
        if(EMSCRIPTEN AND ARG_HEADERS)
          precompile_headers(${library} ${name} ${ARG_HEADERS})
        endif()
        if(EMSCRIPTEN AND NOT library MATCHES "-${simd_${build}}")
          target_compile_definitions(${library} PRIVATE FASTWEIGHTS_WITHOUT_SIMD)
        endif()
      endif()
      list(APPEND objects $<TARGET_OBJECTS:${library}>)
    endforeach()
    set(${name}_${build} ${objects} PARENT_SCOPE)
  endforeach()
endfunction()

# Links a program of a build with what it needs beside its objects.
function(link_for_build program build)
  target_link_libraries(${program} PRIVATE
    fastweights_flags xnnpack-${simd_${build}} xnnpack_packing pthreadpool-${threads_${build}})
  if(EMSCRIPTEN AND threads_${build} STREQUAL "threads")
    # Slow are JavaScript's own reads of a memory that may grow: there are few. Only the main thread
    # allocates, so only it makes the memory grow.
    target_link_options(${program} PRIVATE
      -pthread -Wno-pthreads-mem-growth -sDEFAULT_PTHREAD_STACK_SIZE=256KB)
  endif()
endfunction()
