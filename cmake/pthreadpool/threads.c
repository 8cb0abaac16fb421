// SPDX-License-Identifier: MIT
//
// pthreadpool's threads with a bound on the time for which they spin, waiting for the next loop or
// for each other, before they sleep: a million turns take up to 5 ms and, where more threads than
// processors want to run, keep the very thread that is waited for from running. Ten thousand are 10
// to 30 us, about what waking a thread takes; between the loops of a token there is less.
#include "threadpool-common.h"
#undef PTHREADPOOL_SPIN_WAIT_ITERATIONS
#define PTHREADPOOL_SPIN_WAIT_ITERATIONS 10000

// Emscripten looks for threads that trapped when a wait begins, and then throws. The one that waits
// for the others begins anew every second, or it would wait for ever.
#ifdef __EMSCRIPTEN__
#include <emscripten/threading.h>
#define emscripten_futex_wait(address, value, milliseconds) \
  emscripten_futex_wait(address, value,                     \
                        emscripten_is_main_runtime_thread() ? 1000 : (milliseconds))
#endif
#include "pthreads.c"
