# SPDX-License-Identifier: MIT
#
# The static libraries `pthreadpool-threads` and, for builds without threads, `pthreadpool-one-thread`,
# which XNNPACK knows and cpp/runtime/thread_pool.cc uses. Without threads it is a plain loop.

set(folder "${XNNPACK_SOURCE_DIR}/pthreadpool")
add_library(pthreadpool_headers INTERFACE)
target_include_directories(pthreadpool_headers SYSTEM INTERFACE ${folder}/include)

function(add_pthreadpool library)
  add_library(${library} STATIC ${ARGN})
  target_link_libraries(${library} PRIVATE pthreadpool_headers)
  target_include_directories(${library}
    SYSTEM PRIVATE ${folder}/src ${XNNPACK_SOURCE_DIR}/fxdiv/include)
  target_compile_definitions(${library}
    PRIVATE FXDIV_USE_INLINE_ASSEMBLY=0 PTHREADPOOL_USE_GCD=0 _GNU_SOURCE)
  # Before C11 it takes volatile accesses for atomic ones.
  set_target_properties(${library} PROPERTIES C_STANDARD 11)
  target_compile_options(${library} PRIVATE -w -O2 -ffunction-sections -fdata-sections)
  compile_as_named(${library})
  if(FASTWEIGHTS_SANITIZE STREQUAL "thread")
    # It must see how the threads wait for each other.
    target_compile_options(${library} PRIVATE -fsanitize=thread)
  endif()
endfunction()

add_pthreadpool(pthreadpool-threads ${folder}/src/memory.c ${folder}/src/portable-api.c
                                    ${CMAKE_CURRENT_LIST_DIR}/pthreadpool/threads.c)
if(EMSCRIPTEN)
  add_pthreadpool(pthreadpool-one-thread ${CMAKE_CURRENT_LIST_DIR}/pthreadpool/one_thread.c)
else()
  find_package(Threads REQUIRED)
  target_link_libraries(pthreadpool-threads PUBLIC Threads::Threads)
endif()
