// SPDX-License-Identifier: MIT
//
// pthreadpool's threads with a bound on the time for which they spin, waiting for the next loop or
// for each other, before they sleep: a million turns take up to 5 ms and, where more threads than
// processors want to run, keep the very thread that is waited for from running. Ten thousand are 10
// to 30 us, about what waking a thread takes; between the loops of a token there is less.
#include "threadpool-common.h"
#undef PTHREADPOOL_SPIN_WAIT_ITERATIONS
#define PTHREADPOOL_SPIN_WAIT_ITERATIONS 10000
#include "pthreads.c"
