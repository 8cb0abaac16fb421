// SPDX-License-Identifier: MIT
//
// pthreadpool for builds without threads: a plain loop, and nobody to keep awake.
#include <stdbool.h>

#include "shim.c"

void pthreadpool_keep_awake(bool awake) { (void)awake; }
