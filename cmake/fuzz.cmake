# SPDX-License-Identifier: MIT
#
# fuzz-<name>: tests/fuzz/<name>.cc, run by libFuzzer over the library that ships, all of which is
# compiled with its coverage (fuzzer-no-link in FASTWEIGHTS_SANITIZE). They run in the project folder.

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*.cc)
list(REMOVE_ITEM fuzz_sources ${CMAKE_SOURCE_DIR}/tests/fuzz/corpora_test.cc)
add_library(fastweights_fuzz_flags INTERFACE)
target_link_libraries(fastweights_fuzz_flags INTERFACE fastweights_flags)
target_include_directories(fastweights_fuzz_flags INTERFACE tests)
target_compile_definitions(fastweights_fuzz_flags INTERFACE FASTWEIGHTS_GOLDEN_DIR="tests/golden")
add_library(fuzz_naive OBJECT ${naive_sources})
target_link_libraries(fuzz_naive PRIVATE fastweights_fuzz_flags)

foreach(source IN LISTS fuzz_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(fuzz-${name} ${source} ${core_native} $<TARGET_OBJECTS:fuzz_naive>)
  target_link_libraries(fuzz-${name} PRIVATE fastweights_fuzz_flags xnnpack_headers)
  target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
  link_for_build(fuzz-${name} native)
endforeach()
