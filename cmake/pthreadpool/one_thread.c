// SPDX-License-Identifier: MIT
//
// pthreadpool for builds without threads: a plain loop, and nobody to keep awake.
#include <stdint.h>

#include "shim.c"

void pthreadpool_set_spin_turns(uint32_t turns) { (void)turns; }
