# SPDX-License-Identifier: MIT
#
# fastweights_tests-<build>: every tests/**/*_test.cc, natively and as wasm under Node, by the GoogleTest
# whose source Debian installs.

set(GOOGLETEST_SOURCE_DIR /usr/src/googletest/googletest CACHE PATH "Folder of gtest's source")
if(NOT EXISTS "${GOOGLETEST_SOURCE_DIR}/src/gtest-all.cc")
  message(FATAL_ERROR "No GoogleTest source in GOOGLETEST_SOURCE_DIR '${GOOGLETEST_SOURCE_DIR}': "
                      "install Debian's package googletest, or point it elsewhere.")
endif()
add_library(gtest_flags INTERFACE)
target_include_directories(gtest_flags SYSTEM INTERFACE ${GOOGLETEST_SOURCE_DIR}/include)
target_include_directories(gtest_flags INTERFACE ${GOOGLETEST_SOURCE_DIR})
compile_for_builds(gtest
  SOURCES ${GOOGLETEST_SOURCE_DIR}/src/gtest-all.cc ${GOOGLETEST_SOURCE_DIR}/src/gtest_main.cc
  LIBRARIES gtest_flags)

set(FASTWEIGHTS_TEST_FILES "tests/*_test.cc" CACHE STRING "Pattern of the tests to build")
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${FASTWEIGHTS_TEST_FILES})
# Natively the fuzzers run their first inputs themselves (cmake/fuzz.cmake).
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*.cc)
list(REMOVE_ITEM fuzz_sources ${CMAKE_SOURCE_DIR}/tests/fuzz/corpora_test.cc)
if(EMSCRIPTEN)
  # Of the compiler's own headers, which emcc comes without.
  file(GLOB clang_headers /usr/lib/llvm-*/lib/clang/*/include)
  find_path(FUZZER_HEADERS fuzzer/FuzzedDataProvider.h PATHS ${clang_headers} NO_CMAKE_FIND_ROOT_PATH)
endif()
if(FUZZER_HEADERS)
  foreach(source IN LISTS fuzz_sources)
    get_filename_component(name ${source} NAME_WE)
    string(SUBSTRING ${name} 0 1 first)
    string(TOUPPER ${first} first)
    string(SUBSTRING ${name} 1 -1 rest)
    set_source_files_properties(${source} PROPERTIES
      COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=Fuzz${first}${rest}
      COMPILE_OPTIONS "-idirafter;${FUZZER_HEADERS}")
  endforeach()
  list(APPEND test_sources ${fuzz_sources})
else()
  list(REMOVE_ITEM test_sources ${CMAKE_SOURCE_DIR}/tests/fuzz/corpora_test.cc)
endif()
add_library(fastweights_test_flags INTERFACE)
target_link_libraries(fastweights_test_flags INTERFACE fastweights_flags)
target_include_directories(fastweights_test_flags INTERFACE tests)
target_include_directories(fastweights_test_flags SYSTEM INTERFACE ${GOOGLETEST_SOURCE_DIR}/include)
# Relative, so that ccache shares the objects between checkouts: the tests run in the project folder.
target_compile_definitions(fastweights_test_flags INTERFACE FASTWEIGHTS_GOLDEN_DIR="tests/golden")
compile_for_builds(tests
  SOURCES ${test_sources} ${naive_sources}
  LIBRARIES fastweights_test_flags xnnpack_headers
  HEADERS ${kHeaders} <gtest/gtest.h>)

foreach(build IN LISTS builds)
  set(program fastweights_tests-${build})
  add_executable(${program} ${tests_${build}} ${gtest_${build}} ${core_${build}})
  link_for_build(${program} ${build})
  if(EMSCRIPTEN)
    # package.json makes .js an ES module.
    set_target_properties(${program} PROPERTIES SUFFIX .cjs)
    target_link_options(${program} PRIVATE
      -O1 -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
      -sSTACK_SIZE=1MB)
    if(build MATCHES "-threads$")
      target_link_options(${program} PRIVATE -sPTHREAD_POOL_SIZE=8)
    endif()
    # Each start of Node compiles the module again: one process runs them all. Relaxed SIMD needs a
    # Node that ships it (24 does): behind the flag of Node 20 it multiplies wrongly.
    add_test(NAME ${program} COMMAND ${program} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  else()
    include(GoogleTest)
    gtest_discover_tests(${program} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                         WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endif()
endforeach()
