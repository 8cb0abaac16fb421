# SPDX-License-Identifier: MIT
#
# fastweights_tests: every tests/**/*_test.cc, natively and as wasm under Node, by the GoogleTest
# whose source Debian installs.

set(GOOGLETEST_SOURCE_DIR /usr/src/googletest/googletest CACHE PATH "Folder of gtest's source")
if(NOT EXISTS "${GOOGLETEST_SOURCE_DIR}/src/gtest-all.cc")
  message(FATAL_ERROR "No GoogleTest source in GOOGLETEST_SOURCE_DIR '${GOOGLETEST_SOURCE_DIR}': "
                      "install Debian's package googletest, or point it elsewhere.")
endif()
add_library(gtest STATIC ${GOOGLETEST_SOURCE_DIR}/src/gtest-all.cc
                         ${GOOGLETEST_SOURCE_DIR}/src/gtest_main.cc)
target_include_directories(gtest SYSTEM PUBLIC ${GOOGLETEST_SOURCE_DIR}/include
                                        PRIVATE ${GOOGLETEST_SOURCE_DIR})
target_compile_options(gtest PRIVATE -w)

set(FASTWEIGHTS_TEST_FILES "tests/*_test.cc" CACHE STRING "Pattern of the tests to build")
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${FASTWEIGHTS_TEST_FILES})
add_executable(fastweights_tests ${test_sources} ${naive_sources})
target_include_directories(fastweights_tests PRIVATE tests)
target_link_libraries(fastweights_tests PRIVATE fastweights_core gtest)
# Relative, so that ccache shares the objects between checkouts: the tests run in the project folder.
target_compile_definitions(fastweights_tests PRIVATE
  FASTWEIGHTS_GOLDEN_DIR="tests/golden")
if(NOT EMSCRIPTEN)
  find_package(Threads REQUIRED)
  target_link_libraries(gtest PUBLIC Threads::Threads)
else()
  # package.json makes .js an ES module.
  set_target_properties(fastweights_tests PROPERTIES SUFFIX .cjs)
  target_link_options(fastweights_tests PRIVATE
    -O1 -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
    -sSTACK_SIZE=1MB)
  if(FASTWEIGHTS_THREADS)
    target_link_options(fastweights_tests PRIVATE -sPTHREAD_POOL_SIZE=8)
  endif()
endif()

if(EMSCRIPTEN)
  # Each start of Node compiles the module again: one process runs them all. Relaxed SIMD needs a
  # Node that ships it (24 does): behind the flag of Node 20 it multiplies wrongly.
  add_test(NAME fastweights_tests COMMAND fastweights_tests
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
else()
  include(GoogleTest)
  gtest_discover_tests(fastweights_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endif()
