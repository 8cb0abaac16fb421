// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fastweights {

// Uninitialised memory from `std::aligned_alloc`; null when there is none left.
// Only the main thread allocates.
//
// What is small - a vector's elements, a mixer - comes from `new`, which cannot
// say that there is no memory: a reserve is held for it, and as long as that is
// spent and cannot be had again, this function gives nothing.
void* Allocate(size_t alignment, size_t bytes);

// For tests: the allocation after the next `count` finds no memory, once.
// Negative: none.
void RefuseAllocationAfter(int count);
// Whether it has been refused.
bool HasRefusedAllocation();

}  // namespace fastweights
