// SPDX-License-Identifier: MIT
//
// pthreadpool's threads with a bound on the time for which they spin, waiting for the next loop or
// for each other, before they sleep. As released they do so for a million turns of 1 to 5 ns; where
// the processors are wanted by others too, that keeps the very thread that is waited for from
// running: two threads wrote 268 tokens/s of the embedded model after spins of 100 000 turns, 505
// after 10 000, 951 after 1000 and 940 after one (two busy processors, Node 24).
//
// So it is a thousand, and 30 000 only while runtime/pass_choice.h sees that gain: between two loops of
// a token pass some microseconds, between two tokens some tens.
#include <stdatomic.h>
#include <stdbool.h>

#include "threadpool-common.h"

enum { kTurns = 1000, kAwakeTurns = 30000 };
static atomic_uint spin_turns = kTurns;

void pthreadpool_keep_awake(bool awake) {
  atomic_store_explicit(&spin_turns, awake ? kAwakeTurns : kTurns, memory_order_relaxed);
}

#undef PTHREADPOOL_SPIN_WAIT_ITERATIONS
#define PTHREADPOOL_SPIN_WAIT_ITERATIONS atomic_load_explicit(&spin_turns, memory_order_relaxed)

// Emscripten looks for threads that trapped when a wait begins, and then throws. The one that waits
// for the others begins anew every second, or it would wait for ever.
#ifdef __EMSCRIPTEN__
#include <emscripten/threading.h>
#define emscripten_futex_wait(address, value, milliseconds) \
  emscripten_futex_wait(address, value,                     \
                        emscripten_is_main_runtime_thread() ? 1000 : (milliseconds))
#endif
#include "pthreads.c"
