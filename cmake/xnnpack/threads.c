// SPDX-License-Identifier: MIT
//
// pthreadpool's threads, with a bound on how long they spin for the next loop before they sleep:
// as released they burn 10 ms and more of every processor after every loop.
// TODO-FIGURES
#include "threadpool-common.h"
#undef PTHREADPOOL_SPIN_WAIT_ITERATIONS
#define PTHREADPOOL_SPIN_WAIT_ITERATIONS 20000
#include "pthreads.c"
