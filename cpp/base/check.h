// SPDX-License-Identifier: MIT
#pragma once

// CHECK: a broken invariant of ours ends the program at once, in every build.
// DCHECK: the same, compiled only where NDEBUG is not set (tests, sanitizers).
// Neither is for the user's mistakes: those are a Result on the load path and
// a TypeError or RangeError in TypeScript.
#define CHECK(condition) \
  do {                   \
    if (!(condition)) {  \
      __builtin_trap();  \
    }                    \
  } while (false)

#ifdef NDEBUG
#define DCHECK(condition) \
  do {                    \
  } while (false)
#else
#define DCHECK(condition) CHECK(condition)
#endif
