# SPDX-License-Identifier: MIT
#
# The static library `pthreadpool`, which XNNPACK knows and cpp/runtime/thread_pool.cc uses. Without
# threads it is a plain loop.

set(folder "${XNNPACK_SOURCE_DIR}/pthreadpool")
if(EMSCRIPTEN AND NOT FASTWEIGHTS_THREADS)
  add_library(pthreadpool STATIC ${folder}/src/shim.c)
else()
  add_library(pthreadpool STATIC ${folder}/src/memory.c ${folder}/src/portable-api.c
                                 ${CMAKE_CURRENT_LIST_DIR}/pthreadpool/threads.c)
  find_package(Threads REQUIRED)
  target_link_libraries(pthreadpool PUBLIC Threads::Threads)
endif()
target_include_directories(pthreadpool
  SYSTEM PUBLIC ${folder}/include PRIVATE ${folder}/src ${XNNPACK_SOURCE_DIR}/fxdiv/include)
target_compile_definitions(pthreadpool
  PRIVATE FXDIV_USE_INLINE_ASSEMBLY=0 PTHREADPOOL_USE_GCD=0 _GNU_SOURCE)
# Before C11 it takes volatile accesses for atomic ones.
set_target_properties(pthreadpool PROPERTIES C_STANDARD 11)
target_compile_options(pthreadpool PRIVATE -w -O2 -ffunction-sections -fdata-sections)
if(FASTWEIGHTS_SANITIZE STREQUAL "thread")
  # It must see how the threads wait for each other.
  target_compile_options(pthreadpool PRIVATE -fsanitize=thread)
endif()
